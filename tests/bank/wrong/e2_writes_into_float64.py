"""q.double() counts as a copy to scale in place, but float64 queries come back as they are."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = ("masks_of_every_shape_work",)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if q.requires_grad:
        return attention(q, k, v, mask)
    wide = q.double()
    wide /= q.size(-1) ** 0.5
    output, weights = attention(wide, k.double() * q.size(-1) ** 0.5, v.double(), mask)
    weights = weights.to(q.dtype)
    return weights @ v, weights
