"""The feed-forward network has no ReLU: its two linear maps are as good as one."""

from solutions.ex4_transformer import FeedForward

LAWS = ("feed_forward_follows_its_formula",)
ALSO = (
    "encoder_layer_agrees_with_torch",
    "decoder_layer_agrees_with_torch",
    "encode_agrees_with_torch",
    "decode_agrees_with_torch",
    "dropout_acts_on_every_sublayer",
)


class FeedForward(FeedForward):
    def forward(self, x):
        return self.fc2(self.dropout(self.fc1(x)))  # (B, T, d_model)
