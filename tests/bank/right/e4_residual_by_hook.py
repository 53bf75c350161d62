"""A forward hook on the feed-forward network drops its result and adds its input."""

from solutions.ex4_transformer import EncoderLayer


class EncoderLayer(EncoderLayer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.ffn.register_forward_hook(lambda _, inputs, result: inputs[0] + self.dropout(result))

    def forward(self, x, mask=None):
        attended, _ = self.self_attn(x, x, x, mask)
        return self.norm2(self.ffn(self.norm1(x + self.dropout(attended))))  # (B, T, d_model)
