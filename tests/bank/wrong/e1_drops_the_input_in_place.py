"""Dropout acts in place on the input, before the table is added."""

from torch.nn import functional as F

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("dropout_acts_on_the_sum_in_training_only", "a_call_leaves_nothing_behind")
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        x = F.dropout(x, self.dropout.p, self.training, inplace=not x.requires_grad)
        return x + self.table[: x.size(1)].to(x)  # (B, T, d_model)
