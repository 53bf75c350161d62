import copy
import math
import torch
from torch import nn
from exercises.ex1_positional_encoding import PositionalEncoding
from exercises.ex2_attention import causal_mask, padding_mask
from exercises.ex3_multi_head_attention import MultiHeadAttention


class LayerNorm(nn.Module):
    def __init__(self, width, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.eps = eps

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return centred * torch.rsqrt(centred.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight + self.bias


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.0):
        super().__init__()
        self.fc1 = nn.Linear(d_model, d_ff)
        self.fc2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.fc2(self.dropout(self.fc1(x).clamp(min=0)))


class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__()
        self.norm2 = LayerNorm(d_model)
        self.norm1 = LayerNorm(d_model)
        self.ffn = FeedForward(d_model, d_ff, dropout)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.drop_a, self.drop_b = nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = self.norm1(x + self.drop_a(self.self_attn(x, x, x, mask)[0]))
        return self.norm2(x + self.drop_b(self.ffn(x)))


class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__()
        self.ffn = FeedForward(d_model, d_ff, dropout)
        self.norm1, self.norm2, self.norm3 = (LayerNorm(d_model) for _ in range(3))
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.drop = nn.ModuleList(nn.Dropout(dropout) for _ in range(3))

    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        x = self.norm1(x + self.drop[0](self.self_attn(x, x, x, tgt_mask)[0]))
        x = self.norm2(x + self.drop[1](self.cross_attn(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.drop[2](self.ffn(x)))


class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model, num_heads, num_encoder_layers, num_decoder_layers, d_ff, max_len, dropout, pad_id):
        super().__init__()
        self.d_model, self.pad_id = d_model, pad_id
        self.src_embed = nn.Embedding(src_vocab, d_model, padding_idx=pad_id)
        self.tgt_embed = nn.Embedding(tgt_vocab, d_model, padding_idx=pad_id)
        self.position = PositionalEncoding(d_model, max_len, dropout)
        self.encoder = nn.ModuleList()
        self.decoder = nn.ModuleList()
        for _ in range(num_encoder_layers):
            self.encoder.append(EncoderLayer(d_model, num_heads, d_ff, dropout))
        for _ in range(num_decoder_layers):
            self.decoder.append(DecoderLayer(d_model, num_heads, d_ff, dropout))
        self.out_proj = nn.Linear(d_model, tgt_vocab)
        for m in self.modules():
            for p in m.parameters(recurse=False):
                if p.dim() == 2:
                    nn.init.xavier_uniform_(p)

    def encode(self, src, src_mask=None):
        x = self.position(self.src_embed(src).mul(math.sqrt(self.d_model)))
        for i in range(len(self.encoder)):
            x = self.encoder[i](x, src_mask)
        return x

    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        x = self.position(self.tgt_embed(tgt).mul(math.sqrt(self.d_model)))
        for i in range(len(self.decoder)):
            x = self.decoder[i](x, memory, tgt_mask, memory_mask)
        return x

    def forward(self, src, tgt):
        real = tgt != self.pad_id
        length = tgt.size(1)
        tgt_mask = (real[:, None, None, :]) & torch.tril(torch.ones(1, 1, length, length)).bool()
        src_mask = padding_mask(src, self.pad_id)
        memory = self.encode(src, src_mask)
        return self.out_proj(self.decode(tgt, memory, tgt_mask, src_mask))


def greedy_decode(model, src, max_len, sos_id, eos_id):
    before = model.training
    model.eval()
    rows = [[sos_id] for _ in range(src.size(0))]
    closed = [False] * len(rows)
    with torch.no_grad():
        while len(rows[0]) < max_len and not all(closed):
            best = model(src, torch.tensor(rows))[:, -1].argmax(-1).tolist()
            for i, token in enumerate(best):
                rows[i].append(model.pad_id if closed[i] else token)
                closed[i] = closed[i] or token == eos_id
    model.train(before)
    return torch.tensor(rows)
