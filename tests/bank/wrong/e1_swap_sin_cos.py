"""The cosines stand in the even columns and the sines in the odd ones."""

import torch

LAWS = ("the_table_follows_the_formula", "position_zero_is_zero_one_zero_one")
ALSO = (
    "an_odd_width_ends_with_a_sine",
    "far_positions_are_exact",
    "a_shift_is_a_rotation",
    "each_pair_turns_slower_than_the_one_before",
    "forward_adds_the_table_over_time",
)


def sinusoidal_encoding(max_len, d_model):
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)  # (max_len, 1)
    angle = position / 10000.0 ** (torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)  # (max_len, pairs)
    table = torch.empty(max_len, d_model)
    table[:, 0::2] = angle.cos()
    table[:, 1::2] = angle[:, : d_model // 2].sin()
    return table
