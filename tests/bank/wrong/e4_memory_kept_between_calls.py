"""The memory is kept on the model and used again for every later source of the same shape."""

from solutions.ex4_transformer import Transformer

LAWS = ("state_and_side_effects",)
ALSO = (
    "encode_agrees_with_torch",
    "dropout_acts_on_every_sublayer",
    "padding_does_not_matter",
    "gradients_reach_every_parameter",
    "dtype_and_device_of_the_inputs",
    "decoding_leaves_the_model_as_it_was",
    "greedy_takes_the_best_id",
    "rows_end_one_by_one",
)


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        if getattr(self, "memory", None) is None or self.memory.shape[:2] != src.shape:
            self.memory = super().encode(src, src_mask)  # (B, Ts, d_model)
        return self.memory
