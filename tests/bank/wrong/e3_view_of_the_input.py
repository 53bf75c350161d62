"""The input is flattened by `view` before it is projected, which fails when it is not one block of memory."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("any_memory_layout_works",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        flat = (x.view(-1, x.size(-1)).unflatten(0, x.shape[:2]) for x in (query, key, value))  # (B, T, d_model)
        return super().forward(*flat, mask)
