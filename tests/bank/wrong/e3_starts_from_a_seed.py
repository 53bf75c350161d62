"""Every module starts from the same seed, so all layers start alike."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("four_projections_of_their_own",)
ALSO = ()


class MultiHeadAttention(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        with torch.random.fork_rng():
            torch.manual_seed(0)
            super().__init__(d_model, num_heads, dropout, bias)
