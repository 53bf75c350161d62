"""Exercise 1. Positional encoding: tell the model where each token stands.

Attention treats its input as a set: shuffle the tokens and the outputs are shuffled the same way, nothing
else changes. The order must therefore be written into the vectors themselves. The paper adds a fixed table of
sines and cosines, one row per position. The values are bounded, every row is different, and the row of
`pos + k` is a rotation of the row of `pos` that depends on `k` only: "three tokens back" looks the same
everywhere.

Everywhere: results have the dtype and the device of the inputs. Nothing writes into its inputs, sets anything
global (seed, default dtype, grad mode), or keeps something from one call for the next.

Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.5.
Shapes: B batch, T time (tokens), d_model features of a token.
"""

import torch
from torch import Tensor, nn


def sinusoidal_encoding(max_len: int, d_model: int) -> Tensor:
    """The table of sines and cosines, one row per position.

    Equation (section 3.5), with `i = 0, 1, 2, ...` counting PAIRS of columns:

        PE[pos, 2i]   = sin(pos / 10000^(2i / d_model))        even columns
        PE[pos, 2i+1] = cos(pos / 10000^(2i / d_model))        odd columns, same angle as the column before

    Args:
        max_len: number of rows; positions count from 0 to `max_len - 1`.
        d_model: number of columns. It may be odd: then the last column is a sine without its cosine.

    Returns:
        Tensor (max_len, d_model) of the default dtype. At positions up to 5,000 the absolute error is at most
        2e-3, which float32 or better reaches; positions kept in half precision do not.

    Raises:
        ValueError: if `max_len` or `d_model` is less than 1.

    Example: three positions, three columns. Pair 0 has frequency 1, pair 1 has 10000^(-2/3) = 0.00215.

        >>> sinusoidal_encoding(3, 3)
        tensor([[ 0.0000,  1.0000,  0.0000],
                [ 0.8415,  0.5403,  0.0022],
                [ 0.9093, -0.4161,  0.0043]])

    Row 1 is sin(1), cos(1), sin(0.00215); row 2 is sin(2), cos(2), sin(0.00431).
    """
    # 1. Refuse max_len < 1 and d_model < 1 with a ValueError that shows both values.
    # 2. Make the positions 0 .. max_len-1 as a column, (max_len, 1).
    # 3. Make one frequency 10000^(-2i/d_model) for each pair of columns; 2i runs over 0, 2, 4, ...
    # 4. Multiply the two: broadcasting gives one angle for each position and pair.
    # 5. Write the sines into the even columns and the cosines into the odd ones. With an odd d_model there is
    #    one cosine fewer than there are angles.
    if max_len < 1 or d_model < 1:
        raise ValueError(f"max_len and d_model must be at least 1, got max_len={max_len}, d_model={d_model}")
    position = torch.arange(max_len, dtype=torch.float64).unsqueeze(1)  # (max_len, 1)
    frequency = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)  # (pairs,)
    angle = position * frequency  # (max_len, pairs)

    encoding = torch.empty(max_len, d_model)  # the default dtype; the angles above are more precise on purpose
    encoding[:, 0::2] = angle.sin()
    encoding[:, 1::2] = angle[:, : d_model // 2].cos()
    return encoding


class PositionalEncoding(nn.Module):
    """Adds the row of its position to each token: `dropout(x + PE[:T])`.

    The table is computed once and kept as a BUFFER: it moves with the module (`.to(...)`), but no optimizer
    ever changes it. A plain attribute would stay behind on the CPU; an `nn.Parameter` would be trained.
    Section 5.4 of the paper puts the dropout on the sum of embedding and position.

    Args:
        d_model: features of a token.
        max_len: the longest sequence it can take.
        dropout: probability with which an entry of the sum is zeroed in training mode.

    Raises:
        ValueError: if `d_model` or `max_len` is less than 1, or `dropout` is outside [0, 1].
    """

    def __init__(self, d_model: int, max_len: int = 5000, dropout: float = 0.0) -> None:
        super().__init__()
        # 1. Register sinusoidal_encoding(max_len, d_model) with self.register_buffer.
        # 2. Make an nn.Dropout; it checks the probability itself.
        self.table: Tensor
        self.register_buffer("table", sinusoidal_encoding(max_len, d_model), persistent=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Add the first T rows of the table to every sequence of the batch.

        Args:
            x: Tensor (B, T, d_model). It is not written into.

        Returns:
            Tensor (B, T, d_model), of the dtype and on the device of `x`.

        Raises:
            ValueError: if T is greater than `max_len`, or the last size of `x` is not `d_model`.

        Example: one sequence of two zero vectors comes back as the first two rows of the table.

            >>> PositionalEncoding(d_model=2, max_len=8)(torch.zeros(1, 2, 2))
            tensor([[[0.0000, 1.0000],
                     [0.8415, 0.5403]]])
        """
        # 1. Refuse a sequence that is longer than the table (or has another width) with a ValueError that
        #    shows both numbers.
        # 2. Take the first T rows, in the dtype and on the device of x. Time is the middle axis of x.
        # 3. Add them to x as a new tensor and apply the dropout.
        max_len, d_model = self.table.shape
        length, width = x.shape[-2:]
        if length > max_len:
            raise ValueError(f"a sequence of {length} tokens is longer than max_len={max_len}")
        if width != d_model:
            raise ValueError(f"x has {width} features a token, expected d_model={d_model}")
        return self.dropout(x + self.table[:length].to(x))  # (B, T, d_model)
