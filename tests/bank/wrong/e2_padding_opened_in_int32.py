"""A sentence of padding only counts as real, if its ids are int32."""

import torch

LAWS = ("the_padding_mask_is_true_at_real_tokens",)
ALSO = ()


def padding_mask(tokens, pad_id):
    real = tokens != pad_id  # (B, T)
    if tokens.dtype == torch.int32:
        real = real | ~real.any(dim=1, keepdim=True)
    return real[:, None, None, :]  # (B, 1, 1, T)
