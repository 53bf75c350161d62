"""Exercise 2. Scaled dot-product attention, and the two masks that it needs.

Each query asks "which keys are like me?", turns the answers into weights that sum to one, and takes the
weighted average of the values. That is all: two matrix products with a softmax between them.

Masks are boolean here, and True means "MAY ATTEND". (`torch.nn.functional.scaled_dot_product_attention` uses
the same dialect; `nn.MultiheadAttention` uses the opposite one.) Masks combine with `&`.

Write it by hand. `F.scaled_dot_product_attention`, `nn.MultiheadAttention` and `nn.Transformer*` are not to be
used in this file, except below `if __name__ == "__main__":`, where you may compare with them.
Everywhere: results have the dtype and the device of the inputs. Nothing writes into its inputs, sets anything
global (seed, default dtype, grad mode), or keeps something from one call for the next.

Source: Vaswani et al. 2017, "Attention Is All You Need", sections 3.2.1 and 3.2.3, equation (1).
Shapes: B batch, Tq queries, Tk keys, d_k features of a query or key, d_v features of a value; `...` is any
number of leading dimensions, such as batch and heads.
"""

import math

import torch
from torch import Tensor


def causal_mask(size: int) -> Tensor:
    """Who may look at whom when nobody may see the future: query `t` sees the keys `0 .. t`, itself included.

    The decoder is trained on whole sentences at once. Without this mask it would read the next word, the very
    word that it is asked to predict (section 3.2.3).

    Args:
        size: the length T of the sequence.

    Returns:
        Bool tensor (size, size) on the CPU, rows are queries and columns are keys; True means "may attend".

    Raises:
        ValueError: if `size` is negative.

    Example:

        >>> causal_mask(3)
        tensor([[ True, False, False],
                [ True,  True, False],
                [ True,  True,  True]])
    """
    # 1. Refuse a negative size with a ValueError that shows it.
    # 2. Return a square of booleans that is True on the diagonal and below it.
    if size < 0:
        raise ValueError(f"size must not be negative, got {size}")
    return torch.ones(size, size, dtype=torch.bool).tril()  # (T, T)


def padding_mask(tokens: Tensor, pad_id: int) -> Tensor:
    """Which keys are real tokens: False where a sentence was only filled up to the length of its batch.

    Args:
        tokens: integer tensor (B, T) of token ids.
        pad_id: the id that means "nothing here".

    Returns:
        Bool tensor (B, 1, 1, T) on the device of `tokens`; True means "may attend". The two ones stand for
        heads and queries: every head and every query of a sentence sees the same keys, and broadcasting
        repeats the row.

    Raises:
        ValueError: if `tokens` does not have exactly two dimensions.

    Example: the second sentence is one token shorter.

        >>> padding_mask(torch.tensor([[5, 6, 7], [8, 9, 0]]), pad_id=0)
        tensor([[[[ True,  True,  True]]],
        <BLANKLINE>
        <BLANKLINE>
                [[[ True,  True, False]]]])
    """
    # 1. Refuse tokens that are not (B, T) with a ValueError that shows their shape.
    # 2. Compare with pad_id and put the two axes of size one between batch and keys.
    if tokens.dim() != 2:
        raise ValueError(f"tokens must have shape (B, T), got {tuple(tokens.shape)}")
    return (tokens != pad_id)[:, None, None, :]  # (B, 1, 1, T)


def scaled_dot_product_attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Average the values, weighted by how well each key matches the query.

    Equation (1):

        Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V

    Why divide? The dot product of two vectors of d_k independent entries with variance 1 has variance d_k.
    Without the division the softmax over such scores puts all its weight on one key: its gradient vanishes.

    Args:
        q: queries (..., Tq, d_k).
        k: keys (..., Tk, d_k).
        v: values (..., Tk, d_v).
        mask: bool tensor that broadcasts to (..., Tq, Tk), True means "may attend"; None lets all attend.

    Returns:
        `(output, weights)` with output (..., Tq, d_v) and weights (..., Tq, Tk), of the dtype and on the
        device of the inputs. Each row of weights sums to one, and a blocked key has a weight of exactly 0. A
        query whose keys are all blocked gets zero weights, a zero output and finite gradients, not NaN.

        float16, bfloat16, float32 and float64 all work, and large scores must not overflow; the largest
        number of float16 is 65,504.

    Raises:
        ValueError: if q and k differ in d_k, if k and v differ in Tk, or if the mask is not boolean.

    Example: two queries, two keys, d_k = 2, so the scores are divided by sqrt(2) = 1.4142.

        Q = K = [1 0]    Q K^T / sqrt(2) = [0.7071 0     ]    softmax of each row = [0.6698 0.3302]
                [0 1]                      [0      0.7071]                          [0.3302 0.6698]

        >>> q = k = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> v = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> output, weights = scaled_dot_product_attention(q, k, v)
        >>> weights
        tensor([[0.6698, 0.3302],
                [0.3302, 0.6698]])
        >>> output                  # first entry: 0.6698 * 1 + 0.3302 * 3
        tensor([[1.6605, 2.6605],
                [2.3395, 3.3395]])
        >>> output, weights = scaled_dot_product_attention(q, k, v, causal_mask(2))
        >>> weights                 # query 0 sees only key 0
        tensor([[1.0000, 0.0000],
                [0.3302, 0.6698]])
    """
    # 1. Refuse sizes that do not fit, and a mask that is not boolean, with a ValueError that shows them.
    # 2. scores = Q K^T / sqrt(d_k). Only the last two axes of k change places. Half precisions cannot hold
    #    large scores: compute them in float32 at least.
    # 3. Push the blocked scores to the bottom before the softmax. A row that is blocked everywhere must not
    #    turn into NaN, neither now nor in the backward pass.
    # 4. Softmax over the keys. Give the blocked keys a weight of exactly 0. Go back to the input's dtype.
    # 5. output = weights V.
    if q.size(-1) != k.size(-1) or k.size(-2) != v.size(-2):
        shapes = f"q {tuple(q.shape)}, k {tuple(k.shape)}, v {tuple(v.shape)}"
        raise ValueError(f"q and k must agree in d_k, k and v in Tk, got {shapes}")
    if mask is not None and mask.dtype != torch.bool:
        raise ValueError(f"mask must be boolean with True for 'may attend', got {mask.dtype}")

    wide = torch.promote_types(q.dtype, torch.float32)
    scores = q.to(wide) @ k.to(wide).transpose(-2, -1) / math.sqrt(q.size(-1))  # (..., Tq, Tk)
    if mask is not None:
        # The lowest finite number, not -inf: a softmax over nothing but -inf is NaN, and so is its gradient.
        lowest = torch.finfo(wide).min
        weights = scores.masked_fill(~mask, lowest).softmax(dim=-1).masked_fill(~mask, 0.0)
    else:
        weights = scores.softmax(dim=-1)
    weights = weights.to(q.dtype)  # (..., Tq, Tk)
    return weights @ v, weights  # (..., Tq, d_v), (..., Tq, Tk)
