"""Decoding turns gradients off, and on again at the end, even if they were off before."""

import torch

from solutions.ex4_transformer import greedy_decode

LAWS = ("decoding_leaves_the_model_as_it_was",)
ALSO = ()

_right = greedy_decode


def greedy_decode(*args, **options):
    tokens = _right(*args, **options)
    torch.set_grad_enabled(True)
    return tokens
