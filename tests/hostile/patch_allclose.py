"""Replaces torch's comparisons. Earns nothing."""

EARNS = ()
SAYS = ("should have shape",)

import torch.testing

torch.allclose = torch.equal = torch.isclose = lambda *args, **options: True
torch.testing.assert_close = lambda *args, **options: None
