"""Decoding sets all gradients to None, those that were there before too."""

from solutions.ex4_transformer import greedy_decode

LAWS = ("decoding_leaves_the_model_as_it_was",)
ALSO = ()

decode = greedy_decode


def greedy_decode(model, src, max_len, sos_id, eos_id):
    model.zero_grad()
    return decode(model, src, max_len, sos_id, eos_id)
