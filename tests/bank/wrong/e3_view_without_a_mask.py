"""Without a mask the query is flattened with view, which takes contiguous tensors only."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("any_memory_layout_works",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if mask is None:
            query = query.view(-1, query.size(-1)).view(query.shape)
        return super().forward(query, key, value, mask)
