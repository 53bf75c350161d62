"""Dropout acts on the sum of x and the sublayer's result, so the residual path is dropped as well."""

from solutions.ex4_transformer import EncoderLayer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ()


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        attended, _ = self.self_attn(x, x, x, mask)
        x = self.norm1(self.dropout(x + attended))  # (B, T, d_model)
        return self.norm2(self.dropout(x + self.ffn(x)))  # (B, T, d_model)
