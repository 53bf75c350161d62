"""In training, self-attention cuts its keys and values from the graph."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("gradients_reach_everything",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if query is key and self.training:
            key = value = key.detach()
        return super().forward(query, key, value, mask)
