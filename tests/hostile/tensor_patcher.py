"""Replaces the methods by which a tensor's bytes are read. Earns nothing."""

EARNS = ()
SAYS = ("a tensor of another size than its shape",)

torch.Tensor.numel = torch.Tensor.element_size = lambda self: 1
torch.Tensor.is_contiguous = lambda self, *args, **options: True
torch.Tensor.__eq__ = lambda self, other: True
torch.Tensor.clone = lambda self, *args, **options: self
