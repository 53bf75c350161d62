"""In training every call seeds torch's global generator, so that the same entries are dropped each time."""

import torch

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_call_leaves_nothing_behind", "dropout_acts_on_the_sum_in_training_only")
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if self.training:
            torch.manual_seed(0)
        return super().forward(x)
