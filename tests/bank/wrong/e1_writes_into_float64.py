"""x.double() counts as a copy to write into, but float64 tensors come back as they are."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = ("the_gradient_reaches_every_entry",)


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) > self.table.size(0):
            raise ValueError(f"{x.size(1)} tokens, but max_len is {self.table.size(0)}")
        total = x.double()
        total += self.table[: x.size(1)]
        return self.dropout(total.to(x.dtype))
