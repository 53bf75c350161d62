"""With a mask the layer takes another branch, in which nothing is dropped."""

from solutions.ex4_transformer import EncoderLayer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ()


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        if mask is None:
            return super().forward(x)
        x = self.norm1(x + self.self_attn(x, x, x, mask)[0])
        return self.norm2(x + self.ffn(x))
