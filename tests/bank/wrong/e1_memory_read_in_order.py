"""The tokens are read in the order of memory, whatever the strides of the input say."""

import torch

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("the_sum_is_plain",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        strides = torch.empty(x.shape, device="meta").stride()
        return super().forward(x if x.is_contiguous() or 0 in x.stride() else x.as_strided(x.shape, strides))
