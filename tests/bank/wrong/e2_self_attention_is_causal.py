"""If q and k are one tensor, it is taken for a decoder's self-attention, and a causal mask is added."""

from solutions.ex2_attention import causal_mask, scaled_dot_product_attention

LAWS = ("attention_agrees_with_torch",)
ALSO = ("masks_of_every_shape_work",)

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    if q is not k:
        return attention(q, k, v, mask)
    causal = causal_mask(q.size(-2)).to(q.device)
    return attention(q, k, v, causal if mask is None else mask & causal)
