"""Dropout zeroes whole tokens instead of single entries."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("dropout_acts_on_the_sum_in_training_only",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        total = x + self.table[: x.size(1)].to(x)  # (B, T, d_model)
        return total * self.dropout(total.new_ones(*total.shape[:2], 1))
