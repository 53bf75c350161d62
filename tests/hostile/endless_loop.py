"""Never returns. Earns the masks."""

LAWS = (
    "the_causal_mask_is_a_lower_triangle",
    "the_padding_mask_is_true_at_real_tokens",
    "attention_agrees_with_torch",
)
EARNS = ("the_causal_mask_is_a_lower_triangle", "the_padding_mask_is_true_at_real_tokens")
SAYS = ("computed for more than",)


def scaled_dot_product_attention(q, k, v, mask=None):
    while True:
        pass
