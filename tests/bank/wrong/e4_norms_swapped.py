"""norm2 follows the self-attention and norm1 the feed-forward network."""

from solutions.ex4_transformer import EncoderLayer

LAWS = ("zero_sublayers_leave_the_norms", "encoder_layer_agrees_with_torch")
ALSO = ("dropout_acts_on_every_sublayer", "encode_agrees_with_torch", "rows_end_one_by_one")


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        attended, _ = self.self_attn(x, x, x, mask)
        x = self.norm2(x + self.dropout(attended))  # (B, T, d_model)
        return self.norm1(x + self.dropout(self.ffn(x)))  # (B, T, d_model)
