"""A source of a single token is not decoded: only SOS comes back."""

from solutions.ex4_transformer import greedy_decode

LAWS = ("greedy_takes_the_best_id",)
ALSO = ()


decode_as_asked = greedy_decode


def greedy_decode(model, src, max_len, sos_id, eos_id):
    return decode_as_asked(model, src, max_len if src.size(1) > 1 else 1, sos_id, eos_id)
