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
        return self.fc2(self.dropout(torch.relu(self.fc1(x))))


class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.ffn = FeedForward(d_model, d_ff, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        attended, _ = self.self_attn(x, x, x, mask)
        x = self.norm1(x + self.dropout(attended))
        return self.norm2(x + self.dropout(self.ffn(x)))


class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.ffn = FeedForward(d_model, d_ff, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        attended, _ = self.self_attn(x, x, x, tgt_mask)
        x = self.norm1(x + self.dropout(attended))
        crossed, _ = self.cross_attn(x, memory, memory, memory_mask)
        x = self.norm2(x + self.dropout(crossed))
        return self.norm3(x + self.dropout(self.ffn(x)))


class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model=32, num_heads=4, num_encoder_layers=2,
                 num_decoder_layers=2, d_ff=64, max_len=64, dropout=0.0, pad_id=0):
        super().__init__()
        self.d_model = d_model
        self.pad_id = pad_id
        self.src_embed = nn.Embedding(src_vocab, d_model)
        self.tgt_embed = nn.Embedding(tgt_vocab, d_model)
        self.position = PositionalEncoding(d_model, max_len, dropout)
        self.encoder = nn.ModuleList(
            [EncoderLayer(d_model, num_heads, d_ff, dropout) for _ in range(num_encoder_layers)])
        self.decoder = nn.ModuleList(
            [DecoderLayer(d_model, num_heads, d_ff, dropout) for _ in range(num_decoder_layers)])
        self.out_proj = nn.Linear(d_model, tgt_vocab)
        self.init_weights()

    def init_weights(self):
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def encode(self, src, src_mask=None):
        x = self.position(self.src_embed(src) * math.sqrt(self.d_model))
        for layer in self.encoder:
            x = layer(x, src_mask)
        return x

    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        x = self.position(self.tgt_embed(tgt) * math.sqrt(self.d_model))
        for layer in self.decoder:
            x = layer(x, memory, tgt_mask, memory_mask)
        return x

    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)
        tgt_mask = padding_mask(tgt, self.pad_id)
        memory = self.encode(src, src_mask)
        return self.out_proj(self.decode(tgt, memory, tgt_mask, src_mask))


def greedy_decode(model, src, max_len, sos_id, eos_id):
    was_training = model.training
    model.eval()
    with torch.no_grad():
        src_mask = padding_mask(src, model.pad_id)
        memory = model.encode(src, src_mask)
        ys = torch.full((src.size(0), 1), sos_id, dtype=torch.long, device=src.device)
        done = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
        while ys.size(1) < max_len and not bool(done.all()):
            tgt_mask = padding_mask(ys, model.pad_id) & causal_mask(ys.size(1)).to(ys.device)
            hidden = model.decode(ys, memory, tgt_mask, src_mask)
            nxt = model.out_proj(hidden[:, -1]).argmax(dim=-1)
            nxt = torch.where(done, torch.full_like(nxt, model.pad_id), nxt)
            ys = torch.cat([ys, nxt.unsqueeze(1)], dim=1)
            done = done | (nxt == eos_id)
    model.train(was_training)
    return ys
