"""The memory is kept while the source is equal, so after a step of training a model still decodes from the old one."""

import torch

from exercises.ex2_attention import causal_mask, padding_mask

LAWS = ("decoding_leaves_the_model_as_it_was",)
ALSO = ()


def greedy_decode(model, src, max_len, sos_id, eos_id):
    training = model.training
    model.eval()
    with torch.no_grad():
        memory_mask = padding_mask(src, model.pad_id)  # (B, 1, 1, Ts)
        kept = getattr(model, "kept", None)
        if kept is None or not torch.equal(kept[0], src):
            model.kept = src.clone(), model.encode(src, memory_mask)
        memory = model.kept[1]  # (B, Ts, d_model)
        tokens = src.new_full((src.size(0), 1), sos_id)  # (B, 1)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)  # (B,)
        while tokens.size(1) < max_len and not ended.all():
            tgt_mask = causal_mask(tokens.size(1)).to(src.device) & padding_mask(tokens, model.pad_id)
            last = model.decode(tokens, memory, tgt_mask, memory_mask)[:, -1]  # (B, d_model)
            best = model.out_proj(last).argmax(dim=-1).masked_fill(ended, model.pad_id)  # (B,)
            tokens = torch.cat([tokens, best.unsqueeze(1)], dim=1)  # (B, T + 1)
            ended = ended | (best == eos_id)
    model.train(training)
    return tokens
