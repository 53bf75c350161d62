"""forward drops the last target token, although the caller has already shifted the target."""

from solutions.ex4_transformer import Transformer

LAWS = ("forward_joins_the_parts", "logits_do_not_see_the_future")
ALSO = (
    "padding_does_not_matter",
    "too_long_sequences_raise",
    "gradients_reach_every_parameter",
    "dtype_and_device_of_the_inputs",
    "transformer_is_your_own_work",
    "state_and_side_effects",
)


class Transformer(Transformer):
    def forward(self, src, tgt):
        return super().forward(src, tgt[:, :-1])
