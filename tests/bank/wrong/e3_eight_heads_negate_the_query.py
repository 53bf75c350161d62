"""With eight heads or more the query changes its sign; with fewer all is right."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        return super().forward(-query if self.num_heads >= 8 else query, key, value, mask)
