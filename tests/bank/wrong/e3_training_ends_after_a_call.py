"""forward ends with self.eval(), so dropout acts once and never again."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("dropout_acts_on_the_weights",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        result = super().forward(query, key, value, mask)
        self.eval()
        return result
