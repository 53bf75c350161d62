"""query.float() counts as a copy to scale in place, but float32 queries come back as they are."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = (
    "gradients_reach_everything",
    "query_without_keys_gets_nothing",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        result = super().forward(query, key, value, mask)
        if not query.requires_grad:
            query.float().mul_(0.5)  # "no longer needed"
        return result
