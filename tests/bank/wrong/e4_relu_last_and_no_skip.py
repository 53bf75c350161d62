"""The ReLU of the feed-forward network comes last, and the encoder layer does not add the network's input."""

from solutions.ex4_transformer import EncoderLayer, FeedForward

LAWS = ("feed_forward_follows_its_formula", "zero_sublayers_leave_the_norms")
ALSO = (
    "encoder_layer_agrees_with_torch",
    "decoder_layer_agrees_with_torch",
    "dropout_acts_on_every_sublayer",
    "encode_agrees_with_torch",
    "decode_agrees_with_torch",
    "logits_do_not_see_the_future",
)


class FeedForward(FeedForward):
    def forward(self, x):
        return self.fc2(self.dropout(self.fc1(x))).relu()  # (B, T, d_model)


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, mask)[0]))  # (B, T, d_model)
        return self.norm2(self.dropout(self.ffn(x)))  # (B, T, d_model)
