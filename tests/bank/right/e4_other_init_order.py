"""Parts made in another order, a dropout per place, clamp for the ReLU, initialised by kind of module; no defaults."""

import torch
from torch import nn

from exercises.ex1_positional_encoding import PositionalEncoding
from exercises.ex2_attention import causal_mask, padding_mask
from exercises.ex3_multi_head_attention import MultiHeadAttention
from solutions.ex4_transformer import FeedForward, Transformer


class FeedForward(FeedForward):
    def forward(self, x):
        return self.fc2(self.dropout(self.fc1(x).clamp(min=0)))  # (B, T, d_model)


class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__()
        self.norm2, self.norm1 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.ffn = FeedForward(d_model, d_ff, dropout)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.drop_a, self.drop_b = nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = self.norm1(x + self.drop_a(self.self_attn(x, x, x, mask)[0]))  # (B, T, d_model)
        return self.norm2(x + self.drop_b(self.ffn(x)))  # (B, T, d_model)


class DecoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__()
        self.ffn = FeedForward(d_model, d_ff, dropout)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.drop = nn.ModuleList(nn.Dropout(dropout) for _ in range(3))

    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        x = self.norm1(x + self.drop[0](self.self_attn(x, x, x, tgt_mask)[0]))  # (B, Tt, d_model)
        x = self.norm2(x + self.drop[1](self.cross_attn(x, memory, memory, memory_mask)[0]))  # (B, Tt, d_model)
        return self.norm3(x + self.drop[2](self.ffn(x)))  # (B, Tt, d_model)


class Transformer(Transformer):
    def __init__(
        self,
        src_vocab,
        tgt_vocab,
        d_model,
        num_heads,
        num_encoder_layers,
        num_decoder_layers,
        d_ff,
        max_len,
        dropout,
        pad_id,
    ):
        nn.Module.__init__(self)
        self.out_proj = nn.Linear(d_model, tgt_vocab)
        layer = (d_model, num_heads, d_ff, dropout)
        self.decoder = nn.ModuleList(DecoderLayer(*layer) for _ in range(num_decoder_layers))
        self.encoder = nn.ModuleList(EncoderLayer(*layer) for _ in range(num_encoder_layers))
        self.tgt_embed = nn.Embedding(tgt_vocab, d_model)
        self.src_embed = nn.Embedding(src_vocab, d_model)
        self.position = PositionalEncoding(d_model, max_len, dropout)
        self.d_model, self.pad_id = d_model, pad_id
        self.apply(self.initialise)

    @staticmethod
    def initialise(module):
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.xavier_uniform_(module.weight)
        if isinstance(module, nn.Linear):
            nn.init.zeros_(module.bias)

    def forward(self, src, tgt):
        mask = padding_mask(src, self.pad_id)  # (B, 1, 1, Ts)
        causal = causal_mask(tgt.shape[1]).to(tgt.device)  # (Tt, Tt)
        target = torch.logical_and(padding_mask(tgt, self.pad_id), causal)  # (B, 1, Tt, Tt)
        return self.out_proj(self.decode(tgt, self.encode(src, mask), target, mask))
