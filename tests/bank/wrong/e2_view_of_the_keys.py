"""The leading axes are merged with view, which refuses inputs that are not contiguous."""

from solutions.ex2_attention import scaled_dot_product_attention

LAWS = ("any_memory_layout_works",)
ALSO = ("a_blocked_key_has_weight_zero",)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    lead = q.shape[:-2]
    q, k, v = (x.view(-1, *x.shape[-2:]) for x in (q, k, v))  # (N, T, d)
    if mask is not None:
        mask = mask.expand(*lead, q.size(-2), k.size(-2)).reshape(-1, q.size(-2), k.size(-2))  # (N, Tq, Tk)
    output, weights = attention(q, k, v, mask)
    return output.view(*lead, *output.shape[-2:]), weights.view(*lead, *weights.shape[-2:])
