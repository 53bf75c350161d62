"""Each call goes on counting where the call before it has stopped."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = (
    "dropout_acts_on_the_sum_in_training_only",
    "far_positions_are_exact",
    "forward_adds_the_table_over_time",
    "the_sum_is_plain",
    "the_table_is_a_buffer_that_follows_the_module",
)


class PositionalEncoding(PositionalEncoding):
    start = 0

    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        positions = [(self.start + t) % len(self.table) for t in range(x.size(1))]
        self.start = (self.start + x.size(1)) % len(self.table)
        return self.dropout(x + self.table[positions].to(x))  # (B, T, d_model)
