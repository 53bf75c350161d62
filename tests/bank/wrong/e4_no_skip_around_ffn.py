"""What the feed-forward network gives is not added to its input: the residual path ends there."""

from solutions.ex4_transformer import DecoderLayer, EncoderLayer

LAWS = ("zero_sublayers_leave_the_norms",)
ALSO = (
    "encoder_layer_agrees_with_torch",
    "decoder_layer_agrees_with_torch",
    "dropout_acts_on_every_sublayer",
    "encode_agrees_with_torch",
    "decode_agrees_with_torch",
    "logits_do_not_see_the_future",
)


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, mask)[0]))  # (B, T, d_model)
        return self.norm2(self.dropout(self.ffn(x)))  # (B, T, d_model)


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, tgt_mask)[0]))  # (B, Tt, d_model)
        x = self.norm2(x + self.dropout(self.cross_attn(x, memory, memory, memory_mask)[0]))  # (B, Tt, d_model)
        return self.norm3(self.dropout(self.ffn(x)))  # (B, Tt, d_model)
