"""With as many queries as keys, every mask is combined with the causal one."""

from solutions.ex2_attention import causal_mask, scaled_dot_product_attention

LAWS = ("masks_of_every_shape_work",)
ALSO = (
    "any_memory_layout_works",
    "order_has_no_meaning",
    "a_fully_masked_query_gets_zeros",
    "rows_of_weights_sum_to_one",
)


_right = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if mask is not None and q.size(-2) == k.size(-2):
        mask = mask & causal_mask(k.size(-2)).to(q.device)
    return _right(q, k, v, mask)
