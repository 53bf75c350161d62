"""The layers drop entries in eval mode too: F.dropout does not know the module's mode."""

from torch.nn import functional as F

from solutions.ex4_transformer import EncoderLayer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ("decoding_leaves_the_model_as_it_was",)


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        attended, _ = self.self_attn(x, x, x, mask)
        x = self.norm1(x + F.dropout(attended, self.dropout.p))  # (B, T, d_model)
        return self.norm2(x + F.dropout(self.ffn(x), self.dropout.p))  # (B, T, d_model)
