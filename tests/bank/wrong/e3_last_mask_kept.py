"""Without a mask the one of the call before is used again."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = (
    "dtype_and_device_of_the_inputs",
    "every_shape_of_mask_works",
    "every_size_works",
    "nothing_is_dropped_in_eval_mode",
    "query_without_keys_gets_nothing",
)


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        self.mask = None

    def forward(self, query, key, value, mask=None):
        self.mask = self.mask if mask is None else mask
        fits = self.mask is not None and self.mask.shape[-2:] == (query.size(1), key.size(1))
        return super().forward(query, key, value, self.mask if fits else None)
