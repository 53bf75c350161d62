"""Cross-attention is left out if the memory has a single token."""

from solutions.ex4_transformer import DecoderLayer

LAWS = ("decoder_layer_agrees_with_torch",)
ALSO = (
    "greedy_takes_the_best_id",
    "logits_do_not_see_the_future",
    "padding_does_not_matter",
    "state_and_side_effects",
    "rows_end_one_by_one",
    "decode_agrees_with_torch",
)


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        if memory.size(1) > 1:
            return super().forward(x, memory, tgt_mask, memory_mask)
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, tgt_mask)[0]))  # (B, Tt, d_model)
        x = self.norm2(x)
        return self.norm3(x + self.dropout(self.ffn(x)))
