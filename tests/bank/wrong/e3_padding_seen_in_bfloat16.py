"""In bfloat16 a mask (B, 1, 1, Tk) is ignored."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = (
    "query_without_keys_gets_nothing",
    "nothing_is_dropped_in_eval_mode",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if mask is not None and query.dtype == torch.bfloat16 and mask.size(-2) == 1:
            mask = None
        return super().forward(query, key, value, mask)
