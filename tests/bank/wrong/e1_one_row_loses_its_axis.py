"""A table of one row is squeezed to the shape (d_model,)."""

from solutions.ex1_positional_encoding import sinusoidal_encoding

LAWS = ("position_zero_is_zero_one_zero_one",)
ALSO = ("a_sequence_longer_than_the_table_is_refused",)

with_both_axes = sinusoidal_encoding


def sinusoidal_encoding(max_len, d_model):
    return with_both_axes(max_len, d_model).squeeze(0)  # (d_model,) if max_len is 1
