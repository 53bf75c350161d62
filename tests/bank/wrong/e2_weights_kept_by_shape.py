"""The weights are kept for later calls with the same shapes, which then get the weights of the first."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = (
    "a_blocked_key_has_weight_zero",
    "a_fully_masked_query_gets_zeros",
    "attention_agrees_with_torch",
    "every_floating_dtype_works",
    "gradients_flow_and_are_right",
    "large_scores_do_not_overflow",
    "masks_of_every_shape_work",
    "order_has_no_meaning",
    "padding_is_as_good_as_deleted",
    "scores_are_divided_by_the_root_of_d_k",
)

attention = scaled_dot_product_attention
kept = {}


def scaled_dot_product_attention(q, k, v, mask=None):
    key = (q.shape, k.shape, q.dtype, q.device, None if mask is None else mask.shape)
    if key not in kept:
        kept[key] = attention(q, k, v, mask)[1]
    return kept[key] @ v, kept[key]
