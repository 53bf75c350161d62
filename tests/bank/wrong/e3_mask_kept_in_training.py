"""In training the first mask (Tq, Tk) of its shape is used for all later ones."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__(d_model, num_heads, dropout, bias)
        self.masks = {}

    def forward(self, query, key, value, mask=None):
        if self.training and mask is not None and mask.dim() == 2:
            mask = self.masks.setdefault(mask.shape, mask)
        return super().forward(query, key, value, mask)
