"""Nothing is dropped in self-attention under a mask, as in a decoder."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("dropout_acts_on_the_weights",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        rate = self.dropout.p
        if query is key and mask is not None:
            self.dropout.p = 0.0
        result = super().forward(query, key, value, mask)
        self.dropout.p = rate
        return result
