"""Each token is drawn by multinomial on its own, and tuples are built token by token."""

import torch

from solutions.ex5_training import EOS, SOS


def copy_batch(batch, length, vocab_size, generator=None):
    even = torch.ones(vocab_size - 3)
    rows = [[3 + int(torch.multinomial(even, 1, generator=generator)) for _ in range(length)] for _ in range(batch)]
    return tuple(torch.tensor(ids) for ids in (rows, [[SOS, *row] for row in rows], [[*row, EOS] for row in rows]))
