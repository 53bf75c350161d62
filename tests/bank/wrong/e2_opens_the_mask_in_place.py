"""For a query whose keys are all blocked the first key is opened, in the caller's mask."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_fully_masked_query_gets_zeros",)
ALSO = (
    "any_memory_layout_works",
    "a_call_leaves_nothing_behind",
    "gradients_flow_and_are_right",
    "a_blocked_key_has_weight_zero",
)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is not None:
        mask[..., 0] |= ~mask.any(dim=-1)
    return attention(q, k, v, mask)
