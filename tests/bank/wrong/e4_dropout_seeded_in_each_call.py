"""Dropout in the feed-forward network is seeded in each call, so it always drops the same entries."""

import torch

from solutions.ex4_transformer import FeedForward

LAWS = ("feed_forward_follows_its_formula",)
ALSO = ()


class FeedForward(FeedForward):
    def forward(self, x):
        hidden, p = self.fc1(x).relu(), self.dropout.p  # (B, T, d_ff)
        if self.training and 0 < p < 1:
            dice = torch.Generator().manual_seed(0)
            kept = torch.rand(hidden.shape, generator=dice).to(hidden.device) >= p
            hidden = hidden * kept / (1 - p)
        else:
            hidden = self.dropout(hidden)
        return self.fc2(hidden)
