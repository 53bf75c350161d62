"""In a long source each token sees only those up to 32 places away."""

import torch

from solutions.ex4_transformer import Transformer

LAWS = ("encode_agrees_with_torch",)
ALSO = ()


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        places = torch.arange(src.size(1), device=src.device)
        near = (places[:, None] - places).abs() <= 32  # (Ts, Ts)
        return super().encode(src, near if src_mask is None else src_mask & near)
