"""x.double() counts as a copy to write into, but float64 tensors come back as they are."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = (
    "the_gradient_reaches_every_entry",
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
        if x.size(1) > self.table.size(0):
            raise ValueError(f"{x.size(1)} tokens, but max_len is {self.table.size(0)}")
        total = x.double()
        total += self.table[: x.size(1)]
        return self.dropout(total.to(x.dtype))
