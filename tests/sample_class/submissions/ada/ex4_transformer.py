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


class Transformer(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, d_model, num_heads, num_encoder_layers, num_decoder_layers, d_ff, max_len, dropout, pad_id):
        super().__init__()
        self.out_proj = nn.Linear(d_model, tgt_vocab)
        self.decoder = nn.ModuleList(DecoderLayer(d_model, num_heads, d_ff, dropout) for _ in range(num_decoder_layers))
        self.encoder = nn.ModuleList(EncoderLayer(d_model, num_heads, d_ff, dropout) for _ in range(num_encoder_layers))
        self.tgt_embed = nn.Embedding(tgt_vocab, d_model)
        self.src_embed = nn.Embedding(src_vocab, d_model)
        self.position = PositionalEncoding(d_model, max_len, dropout)
        self.pad_id, self.scale = pad_id, d_model ** 0.5
        self.d_model = d_model
        self.apply(self._init)

    @staticmethod
    def _init(module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.xavier_uniform_(module.weight)
        if isinstance(module, nn.Linear):
            nn.init.zeros_(module.bias)

    def encode(self, src, src_mask=None):
        h = self.position(self.src_embed(src) * self.scale)
        for block in self.encoder:
            h = block(h, src_mask)
        return h

    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        h = self.position(self.tgt_embed(tgt) * self.scale)
        for block in self.decoder:
            h = block(h, memory, tgt_mask=tgt_mask, memory_mask=memory_mask)
        return h

    def forward(self, src, tgt):
        m = padding_mask(src, self.pad_id)
        t = torch.logical_and(padding_mask(tgt, self.pad_id), causal_mask(tgt.shape[1]))
        return self.out_proj(self.decode(tgt, self.encode(src, m), t, m))


@torch.no_grad()
def greedy_decode(model, src, max_len, sos_id, eos_id):
    training = model.training
    model.eval()
    memory_mask = padding_mask(src, model.pad_id)
    memory = model.encode(src, memory_mask)
    tokens = src.new_full((len(src), 1), sos_id)
    finished = torch.zeros(len(src), dtype=torch.bool)
    for _ in range(max_len - 1):
        if finished.all():
            break
        mask = causal_mask(tokens.size(1)) & padding_mask(tokens, model.pad_id)
        step = model.out_proj(model.decode(tokens, memory, mask, memory_mask)[:, -1]).max(dim=-1).indices
        step[finished] = model.pad_id
        tokens = torch.cat((tokens, step[:, None]), dim=-1)
        finished |= step == eos_id
    model.train(training)
    return tokens
