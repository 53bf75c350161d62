"""LayerNorm by hand, padding_idx in the embeddings, masks built in place, decoding in lists of lists."""

import torch
from torch import nn

from exercises.ex2_attention import padding_mask
from exercises.ex3_multi_head_attention import MultiHeadAttention
from solutions.ex4_transformer import FeedForward, Transformer


class LayerNorm(nn.Module):
    def __init__(self, width, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.eps = eps

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return centred * torch.rsqrt(centred.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight + self.bias


class EncoderLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__()
        self.norm2, self.norm1 = LayerNorm(d_model), LayerNorm(d_model)
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
        self.norm1, self.norm2, self.norm3 = (LayerNorm(d_model) for _ in range(3))
        self.cross_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.self_attn = MultiHeadAttention(d_model, num_heads, dropout)
        self.drop = nn.ModuleList(nn.Dropout(dropout) for _ in range(3))

    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        x = self.norm1(x + self.drop[0](self.self_attn(x, x, x, tgt_mask)[0]))  # (B, Tt, d_model)
        x = self.norm2(x + self.drop[1](self.cross_attn(x, memory, memory, memory_mask)[0]))  # (B, Tt, d_model)
        return self.norm3(x + self.drop[2](self.ffn(x)))  # (B, Tt, d_model)


class Transformer(Transformer):
    def __init__(self, src_vocab, tgt_vocab, *args, **kwargs):
        super().__init__(src_vocab, tgt_vocab, *args, **kwargs)
        self.src_embed = nn.Embedding(src_vocab, self.d_model, padding_idx=self.pad_id)
        self.tgt_embed = nn.Embedding(tgt_vocab, self.d_model, padding_idx=self.pad_id)
        for module in self.modules():
            for parameter in module.parameters(recurse=False):
                if parameter.dim() == 2:
                    nn.init.xavier_uniform_(parameter)

    def forward(self, src, tgt):
        length, real = tgt.size(1), tgt != self.pad_id  # (B, Tt)
        causal = torch.tril(torch.ones(1, 1, length, length, device=tgt.device)).bool()
        memory_mask = padding_mask(src, self.pad_id)  # (B, 1, 1, Ts)
        memory = self.encode(src, memory_mask)  # (B, Ts, d_model)
        return self.out_proj(self.decode(tgt, memory, real[:, None, None, :] & causal, memory_mask))


def greedy_decode(model, src, max_len, sos_id, eos_id):
    before = model.training
    rows = [[sos_id] for _ in range(src.size(0))]
    closed = [False] * len(rows)
    model.eval()
    with torch.no_grad():
        while len(rows[0]) < max_len and not all(closed):
            best = model(src, torch.tensor(rows, device=src.device))[:, -1].argmax(-1).tolist()
            for i, token in enumerate(best):
                rows[i].append(model.pad_id if closed[i] else token)
                closed[i] = closed[i] or token == eos_id
    model.train(before)
    return torch.tensor(rows, device=src.device)
