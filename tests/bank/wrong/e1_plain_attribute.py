"""The table is a plain attribute of the module, which .to() and .double() leave behind."""

from torch import nn

from solutions.ex1_positional_encoding import sinusoidal_encoding

LAWS = ("the_table_is_a_buffer_that_follows_the_module",)
ALSO = ("far_positions_are_exact", "the_gradient_reaches_every_entry")


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        self.table = sinusoidal_encoding(max_len, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        return self.dropout(x + self.table[: x.size(1)])  # (B, T, d_model)
