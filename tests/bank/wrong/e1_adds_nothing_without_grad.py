"""Positions are only added while gradients are recorded."""

import torch

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("a_call_leaves_nothing_behind",)
ALSO = ("dropout_acts_on_the_sum_in_training_only", "a_sequence_longer_than_the_table_is_refused")


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        return super().forward(x) if torch.is_grad_enabled() else x
