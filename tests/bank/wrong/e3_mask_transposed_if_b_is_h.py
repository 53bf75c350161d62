"""When there are as many samples as heads, the samples' masks are given to the heads instead."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if mask is not None and mask.dim() == 4 and mask.size(1) == 1 and mask.size(0) == self.num_heads:
            mask = mask.transpose(0, 1)  # (1, H, Tq, Tk)
        return super().forward(query, key, value, mask)
