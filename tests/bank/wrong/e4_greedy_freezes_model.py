"""Decoding freezes all parameters to do without gradients and leaves them frozen."""

from solutions.ex4_transformer import greedy_decode

LAWS = ("decoding_leaves_the_model_as_it_was",)
ALSO = ()


decode_as_asked = greedy_decode


def greedy_decode(model, src, max_len, sos_id, eos_id):
    model.requires_grad_(False)
    return decode_as_asked(model, src, max_len, sos_id, eos_id)
