"""The model is cast to float32 for decoding and back, which rounds its parameters."""

from solutions.ex4_transformer import greedy_decode

LAWS = ("decoding_leaves_the_model_as_it_was",)
ALSO = ()

decode = greedy_decode


def greedy_decode(model, src, max_len, sos_id, eos_id):
    dtype = next(model.parameters()).dtype
    rows = decode(model.float(), src, max_len, sos_id, eos_id)
    model.to(dtype)
    return rows
