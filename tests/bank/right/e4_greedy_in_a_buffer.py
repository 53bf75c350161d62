"""Decoding writes into one tensor of max_len columns and reads forward at the place in turn."""

import torch


def greedy_decode(model, src, max_len, sos_id, eos_id):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    rows = src.new_full((src.size(0), max_len), model.pad_id)  # (B, max_len)
    rows[:, 0] = sos_id
    ended = rows[:, 0] == -1  # (B,)
    for t in range(1, max_len):
        with torch.no_grad():
            best = model(src, rows)[:, t - 1].argmax(dim=-1)  # (B,)
        rows[:, t] = torch.where(ended, model.pad_id, best)
        ended = ended | (best == eos_id)
        if ended.all():
            rows = rows[:, : t + 1]
            break
    for module, training in modes:
        module.training = training
    return rows
