"""In training the bias of w_o is added once for each head."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("dropout_acts_on_the_weights",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        if self.training and self.dropout.p and self.w_o.bias is not None:
            output = output + (self.num_heads - 1) * self.w_o.bias
        return output, weights
