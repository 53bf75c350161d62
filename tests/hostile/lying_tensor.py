"""Answers with a Tensor subclass whose comparisons are always true (`__torch_function__`). Earns nothing."""

LAWS = ("attention_agrees_with_torch",)
EARNS = ()
SAYS = ("off by up to",)


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function.__name__ in ("allclose", "equal", "isclose", "all", "eq", "__eq__"):
            return True
        return super().__torch_function__(function, types, args, kwargs or {})


def scaled_dot_product_attention(q, k, v, mask=None):
    output = q.new_zeros(*q.shape[:-1], v.shape[-1])
    return output.as_subclass(Liar), q.new_zeros(*q.shape[:-1], k.shape[-2]).as_subclass(Liar)
