"""In the cross-attention the memory asks and the target answers: query and key are swapped."""

from solutions.ex4_transformer import DecoderLayer

LAWS = ("decoder_layer_agrees_with_torch",)
ALSO = (
    "zero_sublayers_leave_the_norms",
    "dropout_acts_on_every_sublayer",
    "decode_agrees_with_torch",
    "forward_joins_the_parts",
    "logits_do_not_see_the_future",
    "padding_does_not_matter",
    "gradients_reach_every_parameter",
    "state_and_side_effects",
    "dtype_and_device_of_the_inputs",
    "greedy_takes_the_best_id",
    "rows_end_one_by_one",
    "decoding_leaves_the_model_as_it_was",
    "transformer_is_your_own_work",
)


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        attended, _ = self.self_attn(x, x, x, tgt_mask)
        x = self.norm1(x + self.dropout(attended))  # (B, Tt, d_model)
        attended, _ = self.cross_attn(memory, x, x, memory_mask)
        x = self.norm2(x + self.dropout(attended))
        return self.norm3(x + self.dropout(self.ffn(x)))
