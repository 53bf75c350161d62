"""Decoding freezes the parameters, and lets all of them learn at the end, also those that were frozen."""

from solutions.ex4_transformer import greedy_decode

LAWS = ("decoding_leaves_the_model_as_it_was",)
ALSO = ()

_right = greedy_decode


def greedy_decode(model, *args, **options):
    model.requires_grad_(False)
    tokens = _right(model, *args, **options)
    model.requires_grad_(True)
    return tokens
