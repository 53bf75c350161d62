"""Dropout on the tokens that the self-attention reads, on top of that on its result."""

from solutions.ex4_transformer import EncoderLayer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ()


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        read = self.dropout(x)  # (B, T, d_model)
        x = self.norm1(x + self.dropout(self.self_attn(read, read, read, mask)[0]))
        return self.norm2(x + self.dropout(self.ffn(x)))
