"""The layers never apply the dropout to what a sublayer gives before it is added."""

from solutions.ex4_transformer import DecoderLayer, EncoderLayer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ()


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        x = self.norm1(x + self.self_attn(x, x, x, mask)[0])  # (B, T, d_model)
        return self.norm2(x + self.ffn(x))  # (B, T, d_model)


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        x = self.norm1(x + self.self_attn(x, x, x, tgt_mask)[0])  # (B, Tt, d_model)
        x = self.norm2(x + self.cross_attn(x, memory, memory, memory_mask)[0])  # (B, Tt, d_model)
        return self.norm3(x + self.ffn(x))  # (B, Tt, d_model)
