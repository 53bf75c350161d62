"""Nothing is dropped when the parameters ask for gradients, which is when dropout is for."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("dropout_acts_on_the_weights",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        rate = self.dropout.p
        if torch.is_grad_enabled() and self.w_q.weight.requires_grad:
            self.dropout.p = 0.0
        result = super().forward(query, key, value, mask)
        self.dropout.p = rate
        return result
