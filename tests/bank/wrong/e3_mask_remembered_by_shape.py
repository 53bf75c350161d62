"""The first mask of each shape is kept and used again for every later mask of that shape."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = ("each_sample_attends_on_its_own", "query_without_keys_gets_nothing")


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        self.masks = {}

    def forward(self, query, key, value, mask=None):
        if mask is not None:
            mask = self.masks.setdefault(mask.shape, mask)
        return super().forward(query, key, value, mask)
