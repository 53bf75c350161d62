"""A mask (Tq, Tk) is taken for one row of keys per sample when Tq happens to be the batch size."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = ("the_future_does_not_matter",)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if mask is not None and mask.dim() == 2 and mask.size(0) == query.size(0):
            mask = mask[:, None, None, :]  # (B, 1, 1, Tk)
        return super().forward(query, key, value, mask)
