"""Decoding keeps each layer's inputs and feeds the newest token alone."""

import math

import torch

from exercises.ex2_attention import padding_mask


@torch.no_grad()
def greedy_decode(model, src, max_len, sos_id, eos_id):
    training = model.training
    model.eval()
    memory_mask = padding_mask(src, model.pad_id)  # (B, 1, 1, Ts)
    memory = model.encode(src, memory_mask)  # (B, Ts, d_model)
    tokens = src.new_full((src.size(0), 1), sos_id)  # (B, 1)
    ended = torch.zeros_like(tokens, dtype=torch.bool)  # (B, 1)
    seen = [memory[:, :0] for _ in model.decoder]  # each (B, T, d_model)
    while tokens.size(1) < max_len and not ended.all():
        embedded = model.tgt_embed(tokens) * math.sqrt(model.d_model)  # (B, T, d_model)
        x, real = model.position(embedded)[:, -1:], padding_mask(tokens, model.pad_id)
        for i, layer in enumerate(model.decoder):
            seen[i] = torch.cat([seen[i], x], dim=1)
            x = layer.norm1(x + layer.self_attn(x, seen[i], seen[i], real)[0])  # (B, 1, d_model)
            x = layer.norm2(x + layer.cross_attn(x, memory, memory, memory_mask)[0])  # (B, 1, d_model)
            x = layer.norm3(x + layer.ffn(x))  # (B, 1, d_model)
        best = model.out_proj(x).argmax(dim=-1).masked_fill(ended, model.pad_id)  # (B, 1)
        tokens, ended = torch.cat([tokens, best], dim=1), ended | (best == eos_id)
    model.train(training)
    return tokens
