"""Answers with an object that equals everything. Earns nothing."""

EARNS = ()
SAYS = ("it is a value of type Yes",)


class Yes:
    shape, dtype, device = (1,), torch.float32, torch.device("cpu")

    def __eq__(self, other):
        return True

    def __bool__(self):
        return True

    def __iter__(self):
        return iter((self, self))

    def __getattr__(self, name):
        return lambda *args, **options: self


def causal_mask(size):
    return Yes()


def padding_mask(tokens, pad_id):
    return Yes()


def scaled_dot_product_attention(q, k, v, mask=None):
    return Yes(), Yes()
