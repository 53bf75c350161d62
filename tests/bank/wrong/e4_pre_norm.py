"""Each sublayer gets a normalised input, x + sublayer(norm(x)), instead of the sum being normalised."""

from solutions.ex4_transformer import DecoderLayer, EncoderLayer

LAWS = ("zero_sublayers_leave_the_norms",)
ALSO = (
    "encoder_layer_agrees_with_torch",
    "decoder_layer_agrees_with_torch",
    "dropout_acts_on_every_sublayer",
    "encode_agrees_with_torch",
    "decode_agrees_with_torch",
)


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        normal = self.norm1(x)
        x = x + self.dropout(self.self_attn(normal, normal, normal, mask)[0])  # (B, T, d_model)
        return x + self.dropout(self.ffn(self.norm2(x)))  # (B, T, d_model)


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        normal = self.norm1(x)
        x = x + self.dropout(self.self_attn(normal, normal, normal, tgt_mask)[0])  # (B, Tt, d_model)
        x = x + self.dropout(self.cross_attn(self.norm2(x), memory, memory, memory_mask)[0])  # (B, Tt, d_model)
        return x + self.dropout(self.ffn(self.norm3(x)))  # (B, Tt, d_model)
