"""Under torch.no_grad() the table is added into the caller's tensor to save memory."""

import torch

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = (
    "a_shift_is_a_rotation",
    "an_odd_width_ends_with_a_sine",
    "each_pair_turns_slower_than_the_one_before",
    "far_positions_are_exact",
    "forward_adds_the_table_over_time",
    "position_zero_is_zero_one_zero_one",
    "the_table_follows_the_formula",
)


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        rows = self.table[: x.size(1)].to(x)
        return self.dropout(x + rows if torch.is_grad_enabled() else x.add_(rows))  # (B, T, d_model)
