"""FeedForward drops only where gradients are recorded, not in training mode under no_grad."""

import torch

from solutions.ex4_transformer import FeedForward

LAWS = ("feed_forward_follows_its_formula",)
ALSO = ()


class FeedForward(FeedForward):
    def forward(self, x):
        hidden = self.fc1(x).relu()  # (B, T, d_ff)
        return self.fc2(self.dropout(hidden) if torch.is_grad_enabled() else hidden)
