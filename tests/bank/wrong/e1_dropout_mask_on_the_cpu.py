"""Dropout is made by hand, and its random mask is drawn on the CPU."""

import torch

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("dropout_acts_on_the_sum_in_training_only",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        rate, self.dropout.p = self.dropout.p, 0.0
        y = super().forward(x)
        self.dropout.p = rate
        if not self.training or rate == 0:
            return y
        keep = (torch.rand(y.shape) >= rate).to(y.dtype)  # (B, T, d_model)
        return y * keep / max(1 - rate, 1e-9)
