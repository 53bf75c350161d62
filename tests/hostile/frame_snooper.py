"""Looks for the expected value in the frames of its callers. Earns nothing."""

LAWS = ("attention_agrees_with_torch",)
EARNS = ()
SAYS = ("should have shape",)

import sys


def scaled_dot_product_attention(q, k, v, mask=None):
    frame = sys._getframe(1)
    while frame:
        for name in ("expected", "expected_output", "want", "reference", "oracle"):
            if name in frame.f_locals:
                return frame.f_locals[name]
        frame = frame.f_back
    return torch.zeros(1), torch.zeros(1)
