"""The sublayer's result is added with `x +=`, which writes into the layer's input."""

from solutions.ex4_transformer import EncoderLayer

LAWS = ("state_and_side_effects",)
ALSO = ("encoder_layer_agrees_with_torch", "dropout_acts_on_every_sublayer", "gradients_reach_every_parameter")


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        attended, _ = self.self_attn(x, x, x, mask)
        x += self.dropout(attended)  # (B, T, d_model)
        x = self.norm1(x)
        return self.norm2(x + self.dropout(self.ffn(x)))  # (B, T, d_model)
