"""The table is grown from its first rows by the addition theorem: the rows n .. 2n-1 are the rows 0 .. n-1, turned."""

import torch


def sinusoidal_encoding(max_len, d_model):
    frequency = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)  # (pairs,)
    sine, cosine = torch.zeros(1, len(frequency)).double(), torch.ones(1, len(frequency)).double()
    while len(sine) < max_len:
        turn = len(sine) * frequency
        sine, cosine = (
            torch.cat((sine, sine * turn.cos() + cosine * turn.sin())),
            torch.cat((cosine, cosine * turn.cos() - sine * turn.sin())),
        )
    table = torch.stack((sine, cosine), dim=-1).flatten(1)  # (>= max_len, 2 * pairs)
    return table[:max_len, :d_model].to(torch.get_default_dtype())
