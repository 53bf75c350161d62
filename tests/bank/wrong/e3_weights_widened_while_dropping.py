"""The returned weights are float32 in training, whatever the dtype of the inputs."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("dropout_acts_on_the_weights",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        return output, weights.float() if self.training and self.dropout.p else weights
