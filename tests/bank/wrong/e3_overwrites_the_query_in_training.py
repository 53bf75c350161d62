"""In training mode the query is written into: it is scaled in place."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = (
    "dropout_acts_on_the_weights",
    "every_shape_of_mask_works",
    "gradients_reach_everything",
    "nothing_is_dropped_in_eval_mode",
    "query_without_keys_gets_nothing",
    "every_size_works",
    "any_memory_layout_works",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if self.training and not query.requires_grad:
            query.mul_(0.5)
        return super().forward(query, key, value, mask)
