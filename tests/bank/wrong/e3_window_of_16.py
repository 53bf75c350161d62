"""Only the first 16 keys are looked at."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        mask = None if mask is None else mask[..., :16]
        return super().forward(query, key[:, :16], value[:, :16], mask)
