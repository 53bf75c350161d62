"""The result leaves out the SOS that each row starts with.

Decided: wrong. The contract says that the result "starts with SOS".
"""

from solutions.ex4_transformer import greedy_decode

LAWS = ("greedy_takes_the_best_id",)
ALSO = ()


with_sos = greedy_decode


def greedy_decode(model, src, max_len, sos_id, eos_id):
    return with_sos(model, src, max_len, sos_id, eos_id)[:, 1:]  # (B, T - 1)
