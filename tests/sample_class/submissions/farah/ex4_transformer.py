import copy
import math
import torch
from torch import nn
from exercises.ex1_positional_encoding import PositionalEncoding
from exercises.ex2_attention import causal_mask, padding_mask
from exercises.ex3_multi_head_attention import MultiHeadAttention


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
        self.norm2 = nn.LayerNorm(d_model)
        self.norm1 = nn.LayerNorm(d_model)
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
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.drop = nn.ModuleList(nn.Dropout(dropout) for _ in range(3))

    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        x = self.norm1(x + self.drop[0](self.self_attn(x, x, x, tgt_mask)[0]))
        x = self.norm2(x + self.drop[1](self.cross_attn(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.drop[2](self.ffn(x)))


def clones(module, n):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(n)])


class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=32, num_heads=4, num_encoder_layers=2, num_decoder_layers=2, d_ff=64, max_len=64, dropout=0.0, pad_id=0):
        super().__init__()
        self.d_model, self.pad_id = d_model, pad_id
        self.src_embed, self.tgt_embed = nn.Embedding(src_vocab, d_model), nn.Embedding(tgt_vocab, d_model)
        self.position = PositionalEncoding(d_model, max_len, dropout)
        self.encoder = clones(EncoderLayer(d_model, num_heads, d_ff, dropout), num_encoder_layers)
        self.decoder = clones(DecoderLayer(d_model, num_heads, d_ff, dropout), num_decoder_layers)
        self.out_proj = nn.Linear(d_model, tgt_vocab)
        for name, p in self.named_parameters():
            if p.ndim == 2:
                torch.nn.init.xavier_uniform_(p)

    def _embed(self, table, ids):
        return self.position(table(ids) * math.sqrt(self.d_model))

    def encode(self, src, src_mask=None):
        x = self._embed(self.src_embed, src)
        for layer in self.encoder:
            x = layer(x, src_mask)
        return x

    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        x = self._embed(self.tgt_embed, tgt)
        for layer in self.decoder:
            x = layer(x, memory, tgt_mask, memory_mask)
        return x

    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)
        n = tgt.size(1)
        tgt_mask = causal_mask(n)[None, None] * padding_mask(tgt, self.pad_id)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask))


def greedy_decode(model, src, max_len, sos_id, eos_id):
    state = {"training": model.training}
    model.train(False)
    device = src.device
    ys = torch.tensor([[sos_id]] * src.shape[0], device=device)
    ended = torch.zeros_like(ys, dtype=torch.bool)
    for _ in range(1, max_len):
        with torch.no_grad():
            scores = model(src, ys)
        token = scores[:, -1:].argmax(dim=-1).masked_fill(ended, model.pad_id)
        ys = torch.hstack([ys, token])
        ended = ended | token.eq(eos_id)
    model.train(state["training"])
    return ys
