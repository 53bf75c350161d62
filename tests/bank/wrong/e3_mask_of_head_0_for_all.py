"""The mask of the first head is used for all heads."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_shape_of_mask_works",)
ALSO = ("every_size_works", "query_without_keys_gets_nothing")


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, mask if mask is None or mask.dim() == 2 else mask[:, :1])
