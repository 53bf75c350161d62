"""Without a mask, x += attention writes into the layer's input."""

from solutions.ex4_transformer import EncoderLayer

LAWS = ("state_and_side_effects",)
ALSO = (
    "encoder_layer_agrees_with_torch",
    "gradients_reach_every_parameter",
)


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        if mask is not None or x.requires_grad:
            return super().forward(x, mask)
        x += self.dropout(self.self_attn(x, x, x)[0])
        x = self.norm1(x)
        return self.norm2(x + self.dropout(self.ffn(x)))
