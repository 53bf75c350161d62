"""True in the mask is read as 'blocked', not as 'may attend'."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work", "a_blocked_key_has_weight_zero")
ALSO = (
    "a_call_leaves_nothing_behind",
    "a_fully_masked_query_gets_zeros",
    "gradients_flow_and_are_right",
    "padding_is_as_good_as_deleted",
    "the_future_changes_nothing",
)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q, k, v, None if mask is None else ~mask)
