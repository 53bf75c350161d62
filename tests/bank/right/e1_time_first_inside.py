"""Time is the first axis inside, with a buffer (max_len, 1, d_model), and the result is not contiguous."""

from torch import nn

from solutions.ex1_positional_encoding import sinusoidal_encoding


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(1))  # (max_len, 1, d_model)

    def forward(self, x):
        x = x.transpose(0, 1)  # (T, B, d_model)
        if len(x) > len(self.pe):
            raise ValueError(f"{len(x)} tokens, max_len={len(self.pe)}")
        return self.dropout(x + self.pe[: len(x)]).transpose(0, 1)  # (B, T, d_model)
