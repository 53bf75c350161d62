"""With an odd d_model the last column stays zero, for its sine has no cosine beside it."""

from solutions.ex1_positional_encoding import sinusoidal_encoding

LAWS = ("an_odd_width_ends_with_a_sine",)
ALSO = ()

with_last_sine = sinusoidal_encoding


def sinusoidal_encoding(max_len, d_model):
    table = with_last_sine(max_len, d_model)
    if d_model % 2:
        table[:, -1] = 0.0
    return table
