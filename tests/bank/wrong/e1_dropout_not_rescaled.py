"""Entries are dropped, but those that stay are not divided by 1 - dropout."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("dropout_acts_on_the_sum_in_training_only",)
ALSO = ("the_gradient_reaches_every_entry",)


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        return super().forward(x) * (1 - self.dropout.p if self.training else 1)  # (B, T, d_model)
