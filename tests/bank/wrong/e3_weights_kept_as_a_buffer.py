"""forward keeps the weights in a buffer, so the state of a module that ran fits no fresh one."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("state_can_be_loaded_into_another",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        output, weights = super().forward(query, key, value, mask)
        self.register_buffer("attention", weights.detach())
        return output, weights
