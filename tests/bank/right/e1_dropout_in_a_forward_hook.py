"""forward only adds; a forward hook applies the dropout to what it returns."""

from torch.nn import functional as F

from solutions.ex1_positional_encoding import PositionalEncoding


class PositionalEncoding(PositionalEncoding):
    def __init__(self, d_model, max_len=5000, dropout=0.0):
        super().__init__(d_model, max_len, 0.0)
        self.register_forward_hook(lambda module, _, total: F.dropout(total, dropout, module.training))
