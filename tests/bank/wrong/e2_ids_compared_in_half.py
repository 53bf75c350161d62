"""Ids are compared in half precision, in which large ones that differ are equal."""

import torch

LAWS = ("the_padding_mask_is_true_at_real_tokens",)
ALSO = ()


def padding_mask(tokens, pad_id):
    return (tokens.to(torch.bfloat16) != pad_id)[:, None, None, :]  # (B, 1, 1, T)
