"""Right, but changes dtype, gradient mode and seed at every call. Loses what looks at that."""

EARNS = (
    "the_causal_mask_is_a_lower_triangle",
    "the_padding_mask_is_true_at_real_tokens",
    "attention_agrees_with_torch",
    "the_work_is_your_own",
)
SAYS = ("the default dtype is now torch.float64", "the result carries no gradient at all")


_right = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    return _right(q, k, v, mask)
