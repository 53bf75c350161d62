"""Dropout acts on the rows of the table, and x is added to what is left of them."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("dropout_acts_on_the_sum_in_training_only",)
ALSO = ("the_gradient_reaches_every_entry",)


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        return x + self.dropout(self.table[: x.size(1)].to(x))  # (B, T, d_model)
