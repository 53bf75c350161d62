"""Answers with a wrapper tensor without memory, which computes in `__torch_dispatch__`. Earns nothing for it."""

EARNS = ("the_causal_mask_is_a_lower_triangle", "the_padding_mask_is_true_at_real_tokens")
SAYS = ("your code raised",)


class Hollow(torch.Tensor):
    @staticmethod
    def __new__(cls, shape):
        return torch.Tensor._make_wrapper_subclass(cls, shape, dtype=torch.float32)

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        raise RuntimeError("there is nothing inside")


def scaled_dot_product_attention(q, k, v, mask=None):
    return Hollow((*q.shape[:-1], v.shape[-1])), Hollow((*q.shape[:-1], k.shape[-2]))
