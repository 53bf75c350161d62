"""The table is computed anew in the dtype of x, so in half precision far positions collapse."""

import torch

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("far_positions_are_exact",)
ALSO = ("the_table_is_a_buffer_that_follows_the_module",)


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.size(1) > len(self.table):
            raise ValueError(f"a sequence of {x.size(1)} tokens is longer than max_len={len(self.table)}")
        if x.dtype not in (torch.float16, torch.bfloat16):
            return super().forward(x)
        max_len, d_model = self.table.shape
        position = torch.arange(max_len, device=x.device).to(x.dtype).float().unsqueeze(1)  # (max_len, 1)
        column = torch.arange(d_model, device=x.device)
        angle = position / 10000.0 ** ((column - column % 2) / d_model)  # (max_len, d_model)
        table = torch.where(column % 2 == 0, angle.sin(), angle.cos()).to(x.dtype)
        return self.dropout(x + table[: x.size(1)])  # (B, T, d_model)
