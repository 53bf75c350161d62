"""With an odd d_model the module takes the table of the next even width and cuts it."""

from solutions.ex1_positional_encoding import PositionalEncoding, sinusoidal_encoding

LAWS = ("forward_adds_the_table_over_time",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__(d_model, max_len, dropout)
        table = sinusoidal_encoding(max_len, d_model + d_model % 2)[:, :d_model]  # (max_len, d_model)
        self.register_buffer("table", table.clone(), persistent=False)
