"""The table is no buffer: every call computes it again."""

from solutions.ex1_positional_encoding import PositionalEncoding, sinusoidal_encoding

LAWS = ("the_table_is_a_buffer_that_follows_the_module",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        max_len, d_model = self.table.shape
        return self.dropout(x + sinusoidal_encoding(max_len, d_model)[: x.size(1)].to(x))  # (B, T, d_model)
