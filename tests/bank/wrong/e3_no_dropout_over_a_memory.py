"""Nothing is dropped in cross-attention, where key and value are one tensor."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("dropout_acts_on_the_weights",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        rate = self.dropout.p
        if key is value and query is not key:
            self.dropout.p = 0.0
        result = super().forward(query, key, value, mask)
        self.dropout.p = rate
        return result
