"""Building a model seeds torch's global generator, anew for each model."""

import itertools

import torch

from solutions.ex4_transformer import Transformer

LAWS = ("weights_start_xavier_uniform",)
ALSO = ()


seeds = itertools.count()


class Transformer(Transformer):
    def __init__(self, *args, **kwargs):
        torch.manual_seed(next(seeds))
        super().__init__(*args, **kwargs)
