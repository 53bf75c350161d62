"""Whatever max_len is, decoding stops after 32 ids."""

from solutions.ex4_transformer import greedy_decode

LAWS = ("greedy_takes_the_best_id",)
ALSO = ()

decode_to_the_end = greedy_decode


def greedy_decode(model, src, max_len, sos_id, eos_id):
    return decode_to_the_end(model, src, min(max_len, 32), sos_id, eos_id)
