"""All sines stand in the left half of the columns and all cosines in the right half, instead of taking turns."""

import torch

LAWS = ("the_table_follows_the_formula", "position_zero_is_zero_one_zero_one")
ALSO = (
    "a_shift_is_a_rotation",
    "an_odd_width_ends_with_a_sine",
    "each_pair_turns_slower_than_the_one_before",
    "far_positions_are_exact",
)


def sinusoidal_encoding(max_len, d_model):
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)  # (max_len, 1)
    angle = position / 10000.0 ** (torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)  # (max_len, pairs)
    return torch.cat((angle.sin(), angle[:, : d_model // 2].cos()), dim=-1).float()  # (max_len, d_model)
