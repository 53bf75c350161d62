"""fc1 and fc2 are modules that hold a matrix and a vector and multiply by einsum, in float64 inside."""

import torch
from torch import nn


class Map(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) / inputs**0.5)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        product = torch.einsum("btf,of->bto", x.double(), self.weight.double())  # (B, T, outputs)
        return (product + self.bias).to(x.dtype)


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.0):
        super().__init__()
        self.fc1, self.fc2, self.p = Map(d_model, d_ff), Map(d_ff, d_model), dropout

    def forward(self, x):
        hidden = torch.where((z := self.fc1(x)) > 0, z, 0)  # (B, T, d_ff)
        if self.training and self.p > 0:
            hidden = hidden * (torch.rand_like(hidden) >= self.p) / (1 - self.p)
        return self.fc2(hidden)  # (B, T, d_model)
