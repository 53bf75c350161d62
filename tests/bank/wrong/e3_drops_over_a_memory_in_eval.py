"""In cross-attention weights are dropped in eval mode too."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_dropped_in_eval_mode",)
ALSO = ("dropout_acts_on_the_weights",)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        self.dropout.train(self.training or (key is value and query is not key))
        return super().forward(query, key, value, mask)
