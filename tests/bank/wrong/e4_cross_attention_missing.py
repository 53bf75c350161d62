"""The decoder layer skips the cross-attention, so the target never looks at the source."""

from solutions.ex4_transformer import DecoderLayer

LAWS = ("decoder_layer_agrees_with_torch", "gradients_reach_every_parameter")
ALSO = (
    "dropout_acts_on_every_sublayer",
    "decode_agrees_with_torch",
    "logits_do_not_see_the_future",
    "rows_end_one_by_one",
)


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        attended, _ = self.self_attn(x, x, x, tgt_mask)
        x = self.norm1(x + self.dropout(attended))  # (B, Tt, d_model)
        x = self.norm2(x)
        return self.norm3(x + self.dropout(self.ffn(x)))  # (B, Tt, d_model)
