"""forward converts the table itself to the dtype of x, so that a call in half precision rounds it for good."""

from torch import nn

from solutions.ex1_positional_encoding import sinusoidal_encoding

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = ()


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        if x.size(1) > len(self.pe):
            raise ValueError(f"{x.size(1)} > {len(self.pe)}")
        self.pe = self.pe.to(x)
        return self.dropout(x + self.pe[: x.size(1)])
