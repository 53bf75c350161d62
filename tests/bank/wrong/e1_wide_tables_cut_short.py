"""From the 32nd pair of columns on every pair has the frequency of the 32nd."""

import torch

LAWS = ("the_table_follows_the_formula",)
ALSO = (
    "a_shift_is_a_rotation",
    "an_odd_width_ends_with_a_sine",
    "each_pair_turns_slower_than_the_one_before",
    "far_positions_are_exact",
    "forward_adds_the_table_over_time",
    "position_zero_is_zero_one_zero_one",
)


def sinusoidal_encoding(max_len, d_model):
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)  # (max_len, 1)
    pairs = torch.arange(0, d_model, 2, dtype=torch.float64).clamp(max=62)
    angle = position / 10000.0 ** (pairs / d_model)  # (max_len, pairs)
    table = torch.empty(max_len, d_model)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle[:, : d_model // 2].cos()
    return table
