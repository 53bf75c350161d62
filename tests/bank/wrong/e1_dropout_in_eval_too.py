"""F.dropout is called without its training argument, so it drops in evaluation mode too."""

from torch.nn import functional as F

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("dropout_acts_on_the_sum_in_training_only",)
ALSO = ("a_call_leaves_nothing_behind", "the_gradient_reaches_every_entry")


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        return F.dropout(x + self.table[: x.size(1)].to(x), self.dropout.p)  # (B, T, d_model)
