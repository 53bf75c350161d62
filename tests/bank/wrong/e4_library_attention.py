"""The encoder layer lets torch's scaled_dot_product_attention do the attention."""

from torch.nn import functional as F

from solutions.ex4_transformer import EncoderLayer

LAWS = ("transformer_is_your_own_work",)
ALSO = ()


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        attention = self.self_attn
        q, k, v = (
            linear(x).unflatten(-1, (attention.num_heads, attention.d_k)).transpose(1, 2)  # (B, H, T, d_k)
            for linear in (attention.w_q, attention.w_k, attention.w_v)
        )
        dropout = self.dropout.p if self.training else 0.0
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=dropout)  # (B, H, T, d_k)
        x = self.norm1(x + self.dropout(attention.w_o(mixed.transpose(1, 2).flatten(-2))))  # (B, T, d_model)
        return self.norm2(x + self.dropout(self.ffn(x)))  # (B, T, d_model)
