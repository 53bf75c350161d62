"""The weights average the keys instead of the values."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("attention_agrees_with_torch", "rows_of_weights_sum_to_one")
ALSO = (
    "a_call_leaves_nothing_behind",
    "a_fully_masked_query_gets_zeros",
    "any_memory_layout_works",
    "every_floating_dtype_works",
    "gradients_flow_and_are_right",
    "large_scores_do_not_overflow",
    "masks_of_every_shape_work",
    "order_has_no_meaning",
    "padding_is_as_good_as_deleted",
    "results_are_on_the_device_of_the_inputs",
    "the_future_changes_nothing",
    "the_work_is_your_own",
)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    return attention(q, k, k, mask)
