"""Answers NaN of the right shape, which no comparison of sizes refuses. Earns nothing."""

LAWS = ("attention_agrees_with_torch",)
EARNS = ()
SAYS = ("holds NaN",)


def scaled_dot_product_attention(q, k, v, mask=None):
    nan = float("nan")
    return q.new_full((*q.shape[:-1], v.shape[-1]), nan), q.new_full((*q.shape[:-1], k.shape[-2]), nan)
