"""The tokens are flattened with view, which refuses an input that is not contiguous."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("the_sum_is_plain",)
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
        batch, length, d_model = x.shape
        rows = x.view(batch, length * d_model) + self.table[:length].to(x).view(-1)  # (B, T * d_model)
        return self.dropout(rows.view(batch, length, d_model))  # (B, T, d_model)
