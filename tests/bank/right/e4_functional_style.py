"""F.dropout, functools.reduce over the layers, parts made by add_module, bounds computed by hand, extra **kwargs."""

import math
from functools import reduce

import torch
from torch import nn
from torch.nn import functional as F

from exercises.ex1_positional_encoding import PositionalEncoding
from exercises.ex2_attention import causal_mask, padding_mask
from exercises.ex3_multi_head_attention import MultiHeadAttention


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.0, **kwargs):
        super().__init__()
        self.fc1, self.fc2, self.p = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model), dropout

    def forward(self, x):
        return self.fc2(F.dropout(F.relu(self.fc1(x)), self.p, self.training))  # (B, T, d_model)


class Layer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout, attentions):
        super().__init__()
        for i, name in enumerate(attentions):
            self.add_module(name, MultiHeadAttention(d_model, num_heads, dropout))
            self.add_module(f"norm{i + 1}", nn.LayerNorm(d_model))
        self.ffn = FeedForward(d_model, d_ff, dropout)
        self.add_module(f"norm{len(attentions) + 1}", nn.LayerNorm(d_model))
        self.p = dropout

    def add(self, norm, x, sublayer):
        return norm(F.dropout(sublayer, self.p, self.training) + x)


class EncoderLayer(Layer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, **kwargs):
        super().__init__(d_model, num_heads, d_ff, dropout, ["self_attn"])

    def forward(self, x, mask=None):
        x = self.add(self.norm1, x, self.self_attn(x, x, x, mask)[0])  # (B, T, d_model)
        return self.add(self.norm2, x, self.ffn(x))  # (B, T, d_model)


class DecoderLayer(Layer):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, **kwargs):
        super().__init__(d_model, num_heads, d_ff, dropout, ["self_attn", "cross_attn"])

    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        x = self.add(self.norm1, x, self.self_attn(query=x, key=x, value=x, mask=tgt_mask)[0])
        x = self.add(self.norm2, x, self.cross_attn(query=x, key=memory, value=memory, mask=memory_mask)[0])
        return self.add(self.norm3, x, self.ffn(x))  # (B, Tt, d_model)


class Transformer(nn.Module):
    def __init__(
        self,
        src_vocab,
        tgt_vocab,
        d_model=64,
        num_heads=4,
        num_encoder_layers=2,
        num_decoder_layers=2,
        d_ff=128,
        max_len=128,
        dropout=0.1,
        pad_id=0,
        **kwargs,
    ):
        super().__init__()
        layer = (d_model, num_heads, d_ff, dropout)
        self.pad_id, self.d_model = pad_id, d_model
        self.src_embed, self.tgt_embed = nn.Embedding(src_vocab, d_model), nn.Embedding(tgt_vocab, d_model)
        self.position = PositionalEncoding(d_model, max_len, dropout)
        self.encoder = nn.ModuleList([EncoderLayer(*layer) for _ in range(num_encoder_layers)])
        self.decoder = nn.ModuleList([DecoderLayer(*layer) for _ in range(num_decoder_layers)])
        self.out_proj = nn.Linear(d_model, tgt_vocab)
        for p in filter(lambda p: p.dim() > 1, self.parameters()):
            bound = math.sqrt(6.0 / (p.size(0) + p.size(1)))
            nn.init.uniform_(p, -bound, bound)

    def encode(self, src, src_mask=None):
        start = self.position(self.src_embed(src) * self.d_model**0.5)  # (B, Ts, d_model)
        return reduce(lambda x, layer: layer(x, src_mask), self.encoder, start)

    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        start = self.position(self.tgt_embed(tgt) * self.d_model**0.5)  # (B, Tt, d_model)
        return reduce(lambda x, layer: layer(x, memory, tgt_mask, memory_mask), self.decoder, start)

    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)  # (B, 1, 1, Ts)
        tgt_mask = causal_mask(tgt.size(1)).to(tgt.device)[None, None] & padding_mask(tgt, self.pad_id)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask))


@torch.no_grad()
def greedy_decode(model, src, max_len, sos_id, eos_id):
    training = model.training
    model.eval()
    memory_mask = padding_mask(src, model.pad_id)  # (B, 1, 1, Ts)
    memory = model.encode(src, memory_mask)  # (B, Ts, d_model)
    tokens = src.new_full((len(src), 1), sos_id)  # (B, 1)
    finished = torch.zeros(len(src), dtype=torch.bool, device=src.device)
    for _ in range(max_len - 1):
        if finished.all():
            break
        mask = causal_mask(tokens.size(1)).to(src.device) & padding_mask(tokens, model.pad_id)
        step = model.out_proj(model.decode(tokens, memory, mask, memory_mask)[:, -1]).max(dim=-1).indices
        step[finished] = model.pad_id
        tokens = torch.cat((tokens, step[:, None]), dim=-1)  # (B, T + 1)
        finished |= step == eos_id
    model.train(training)
    return tokens
