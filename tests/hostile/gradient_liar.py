"""Gives a gradient of its own making, of the right shape. Loses the law of gradients."""

EARNS = (
    "the_causal_mask_is_a_lower_triangle",
    "the_padding_mask_is_true_at_real_tokens",
    "attention_agrees_with_torch",
    "a_call_leaves_nothing_behind",
    "the_work_is_your_own",
)
SAYS = ("the gradients predict",)


_right = scaled_dot_product_attention


class Lie(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tensor):
        return tensor.clone()

    @staticmethod
    def backward(ctx, gradient):
        return torch.ones_like(gradient)


def scaled_dot_product_attention(q, k, v, mask=None):
    output, weights = _right(q, k, v, mask)
    return Lie.apply(output), weights
