"""In a batch of one the query gets half of its gradient."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("gradients_reach_everything",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if query.size(0) == 1:
            query = 0.5 * query + 0.5 * query.detach()
        return super().forward(query, key, value, mask)
