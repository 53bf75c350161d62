"""The paper's i is taken for the column's number c and doubled: column c has the frequency 10000^(-2c/d_model)."""

import torch

LAWS = ("the_table_follows_the_formula", "a_shift_is_a_rotation")
ALSO = (
    "an_odd_width_ends_with_a_sine",
    "each_pair_turns_slower_than_the_one_before",
    "far_positions_are_exact",
)


def sinusoidal_encoding(max_len, d_model):
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)  # (max_len, 1)
    angle = position / 10000.0 ** (2 * torch.arange(d_model, dtype=torch.float64) / d_model)  # (max_len, d_model)
    table = torch.empty(max_len, d_model)
    table[:, 0::2] = angle[:, 0::2].sin()
    table[:, 1::2] = angle[:, 1::2].cos()
    return table
