"""Decoding turns gradients off, and on again at the end, even if they were off before."""

import torch

from exercises.ex2_attention import causal_mask, padding_mask

LAWS = ("decoding_leaves_the_model_as_it_was",)
ALSO = ()


def greedy_decode(model, src, max_len, sos_id, eos_id):
    modes = {module: module.training for module in model.modules()}
    model.eval()
    torch.set_grad_enabled(False)
    memory_mask = padding_mask(src, model.pad_id)  # (B, 1, 1, Ts)
    memory = model.encode(src, memory_mask)  # (B, Ts, d_model)
    tokens = src.new_full((src.size(0), 1), sos_id, dtype=torch.int64)  # (B, 1)
    ended = torch.zeros_like(tokens[:, 0], dtype=torch.bool)  # (B,)
    while tokens.size(1) < max_len and not ended.all():
        causal = causal_mask(tokens.size(1)).to(src.device)
        tgt_mask = causal & padding_mask(tokens, model.pad_id)  # (B, 1, T, T)
        last = model.decode(tokens, memory, tgt_mask, memory_mask)[:, -1]  # (B, d_model)
        best = model.out_proj(last).argmax(dim=-1).masked_fill(ended, model.pad_id)  # (B,)
        ended = ended | (best == eos_id)
        tokens = torch.cat([tokens, best.unsqueeze(1)], dim=1)  # (B, T + 1)
    for module, training in modes.items():
        module.training = training
    torch.set_grad_enabled(True)
    return tokens
