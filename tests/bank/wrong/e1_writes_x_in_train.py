"""In training the table is added into the caller's tensor, x += table, where x needs no gradient."""

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
        if self.training and not x.requires_grad:
            x += rows
            return self.dropout(x)
        return self.dropout(x + rows)  # (B, T, d_model)
