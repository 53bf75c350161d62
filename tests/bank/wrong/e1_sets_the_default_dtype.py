"""The default dtype is set to float64 for an exact table, and left so."""

import torch

from solutions.ex1_positional_encoding import sinusoidal_encoding

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = ()

exact = sinusoidal_encoding


def sinusoidal_encoding(max_len, d_model):
    torch.set_default_dtype(torch.float64)
    return exact(max_len, d_model).float()
