"""The sum is kept for the next input of the same shape, which then gets the result of the first."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = (
    "dropout_acts_on_the_sum_in_training_only",
    "the_sum_is_plain",
    "the_table_is_a_buffer_that_follows_the_module",
)


class PositionalEncoding(PositionalEncoding):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__(d_model, max_len, dropout)
        self.kept = {}

    def forward(self, x):
        key = (x.shape, x.dtype, x.device, self.training)
        if key not in self.kept:
            self.kept[key] = super().forward(x)
        return self.kept[key]
