"""Replaces the builtins by which an answer is looked at. Earns nothing."""

LAWS = ("the_causal_mask_is_a_lower_triangle",)
EARNS = ()
SAYS = ("exited by itself with code 1",)

import builtins

builtins.isinstance = lambda *args: True
builtins.len = lambda *args: 2
builtins.type = lambda *args: torch.Tensor
