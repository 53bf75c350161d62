"""In self-attention a mask (Tq, Tk) is taken to be causal, whatever it holds."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_size_works",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if query is key and mask is not None and mask.dim() == 2:
            mask = mask.tril()
        return super().forward(query, key, value, mask)
