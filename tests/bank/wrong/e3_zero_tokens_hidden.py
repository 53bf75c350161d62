"""Tokens whose features are all zero are taken for padding and hidden."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = ("nothing_is_left_behind",)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        real = key.abs().sum(dim=-1).gt(0)[:, None, None, :]  # (B, 1, 1, Tk)
        return super().forward(query, key, value, real if mask is None else real & mask)
