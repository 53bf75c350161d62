"""Only the nn.Dropout parts go to eval mode, the model stays in training mode."""

import torch
from torch import nn

from exercises.ex2_attention import causal_mask, padding_mask

LAWS = ("decoding_leaves_the_model_as_it_was",)
ALSO = ()


def greedy_decode(model, src, max_len, sos_id, eos_id):
    modes = {part: part.training for part in model.modules()}
    for part in model.modules():
        part.training &= not isinstance(part, nn.Dropout)
    with torch.no_grad():
        source = padding_mask(src, model.pad_id)  # (B, 1, 1, Ts)
        memory = model.encode(src, source)
        ids = torch.full_like(src[:, :1], sos_id)  # (B, 1)
        ended = torch.zeros_like(ids[:, 0], dtype=torch.bool)
        while ids.size(1) < max_len and not ended.all():
            target = causal_mask(ids.size(1)).to(src.device) & padding_mask(ids, model.pad_id)  # (B, 1, T, T)
            last = model.decode(ids, memory, target, source)[:, -1]  # (B, d_model)
            best = model.out_proj(last).argmax(-1).masked_fill(ended, model.pad_id)
            ids = torch.cat([ids, best.unsqueeze(1)], dim=1)
            ended |= best == eos_id
    for part, training in modes.items():
        part.training = training
    return ids
