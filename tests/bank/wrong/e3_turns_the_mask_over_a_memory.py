"""In training, cross-attention inverts the caller's mask in place."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = ("any_memory_layout_works",)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        result = super().forward(query, key, value, mask)
        if self.training and query is not key and mask is not None:
            mask.logical_not_()
        return result
