"""The feed-forward network draws one dropout mask and uses it for every token."""

import torch

from solutions.ex4_transformer import FeedForward

LAWS = ("feed_forward_follows_its_formula",)
ALSO = ("dropout_acts_on_every_sublayer",)


class FeedForward(FeedForward):
    def forward(self, x):
        hidden = self.fc1(x).relu()  # (B, T, d_ff)
        return self.fc2(hidden * self.dropout(torch.ones_like(hidden[:1, :1])))  # (B, T, d_model)
