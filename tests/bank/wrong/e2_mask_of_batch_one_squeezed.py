"""All axes of size one are squeezed out of the mask, which then lines up with other axes."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work",)
ALSO = (
    "padding_is_as_good_as_deleted",
    "order_has_no_meaning",
    "a_blocked_key_has_weight_zero",
    "a_fully_masked_query_gets_zeros",
    "results_are_on_the_device_of_the_inputs",
    "a_call_leaves_nothing_behind",
    "gradients_flow_and_are_right",
)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q, k, v, None if mask is None else mask.squeeze())
