"""The longer of the first two axes is taken for time, so with more sequences than tokens the rows count sequences."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("forward_adds_the_table_over_time", "the_sum_is_plain")
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        batch, length, _ = x.shape
        if length > len(self.table):
            raise ValueError(f"a sequence of {length} tokens is longer than max_len={len(self.table)}")
        if batch >= length:
            return self.dropout(x + self.table[:batch].unsqueeze(1).to(x))  # (B, 1, d_model) beside (B, T, d_model)
        return self.dropout(x + self.table[:length].to(x))  # (B, T, d_model)
