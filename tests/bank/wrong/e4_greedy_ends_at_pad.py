"""A row that writes pad_id counts as ended, as if it were EOS."""

import torch

from exercises.ex2_attention import causal_mask, padding_mask

LAWS = ("greedy_takes_the_best_id",)
ALSO = ()


def greedy_decode(model, src, max_len, sos_id, eos_id):
    modes = {part: part.training for part in model.modules()}
    model.eval()
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
            ended |= (best == eos_id) | (best == model.pad_id)
    for part, training in modes.items():
        part.training = training
    return ids
