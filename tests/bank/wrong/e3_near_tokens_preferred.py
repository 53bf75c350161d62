"""Near tokens get more weight than far ones: a bonus by distance is added to the scores."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention
from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("shuffling_tokens_shuffles_the_result",)
ALSO = (
    "cross_attention_agrees_with_torch",
    "every_shape_of_mask_works",
    "every_size_works",
    "query_key_and_value_may_all_differ",
    "self_attention_agrees_with_torch",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        projected = (self.w_q(query), self.w_k(key), self.w_v(value))
        q, k, v = (x.unflatten(-1, (self.num_heads, self.d_k)).transpose(1, 2) for x in projected)  # (B, H, T, d_k)
        steps = torch.arange(k.size(2), device=k.device).to(k.dtype)  # (Tk,)
        k = k + 0.1 * steps[:, None]  # (B, H, Tk, d_k)
        _, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, Tq, Tk)
        return self.w_o((self.dropout(weights) @ v).transpose(1, 2).flatten(-2)), weights
