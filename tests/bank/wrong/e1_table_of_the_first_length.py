"""The table is made in the first call, for its length; a longer sequence does not fit after it."""

from torch import nn

from solutions.ex1_positional_encoding import sinusoidal_encoding

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = ()


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        self.max_len, self.d_model = max_len, d_model
        self.register_buffer("pe", None)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        if x.size(1) > self.max_len:
            raise ValueError(f"{x.size(1)} > {self.max_len}")
        if self.pe is None:
            self.pe = sinusoidal_encoding(x.size(1), self.d_model)
        return self.dropout(x + self.pe[: x.size(1)].to(x))
