"""A row counts as ended when it writes pad_id, not when it writes EOS."""

import torch

from exercises.ex2_attention import causal_mask, padding_mask

LAWS = ("rows_end_one_by_one",)
ALSO = ("greedy_takes_the_best_id",)


def greedy_decode(model, src, max_len, sos_id, eos_id):
    training = model.training
    model.eval()
    with torch.no_grad():
        memory_mask = padding_mask(src, model.pad_id)  # (B, 1, 1, Ts)
        memory = model.encode(src, memory_mask)  # (B, Ts, d_model)
        tokens = src.new_full((src.size(0), 1), sos_id)  # (B, 1)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)  # (B,)
        while tokens.size(1) < max_len and not ended.all():
            tgt_mask = causal_mask(tokens.size(1)).to(src.device) & padding_mask(tokens, model.pad_id)
            last = model.decode(tokens, memory, tgt_mask, memory_mask)[:, -1]  # (B, d_model)
            best = model.out_proj(last).argmax(dim=-1)  # (B,)
            best = best.masked_fill(ended, model.pad_id)
            tokens = torch.cat([tokens, best.unsqueeze(1)], dim=1)  # (B, T + 1)
            ended = ended | (best == model.pad_id)
    model.train(training)
    return tokens
