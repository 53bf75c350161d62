"""padding_mask works with int64 ids only: others are left unmasked."""

import torch

from solutions.ex2_attention import padding_mask

LAWS = ("the_padding_mask_is_true_at_real_tokens",)
ALSO = ()

padding = padding_mask


def padding_mask(tokens, pad_id):
    return padding(tokens, pad_id) if tokens.dtype == torch.int64 else padding(tokens, pad_id).fill_(True)
