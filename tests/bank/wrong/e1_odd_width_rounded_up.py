"""An odd d_model is first rounded up to the next even number, which also changes the exponents 2i/d_model."""

from solutions.ex1_positional_encoding import sinusoidal_encoding

LAWS = ("an_odd_width_ends_with_a_sine",)
ALSO = ()

for_even_widths = sinusoidal_encoding


def sinusoidal_encoding(max_len, d_model):
    return for_even_widths(max_len, d_model + d_model % 2)[:, :d_model]  # (max_len, d_model)
