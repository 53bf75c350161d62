"""For a batch of one sequence x is added into the table itself, so every later call finds it there."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("the_sum_is_plain",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        rows = self.table[: x.size(1)].to(x)
        if len(x) == 1 and not x.requires_grad:
            rows += x[0]
            return self.dropout(rows.unsqueeze(0).clone())
        return self.dropout(x + rows)  # (B, T, d_model)
