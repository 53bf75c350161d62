"""When the batch size equals Tq, a padding mask (B, 1, 1, Tk) is cut to that of sample 0."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if mask is not None and mask.dim() == 4 and mask.size(2) == 1 and mask.size(0) == query.size(1):
            mask = mask[:1]
        return super().forward(query, key, value, mask)
