"""A batch of one sentence is not padded, so its padding mask is all True."""

from solutions.ex2_attention import padding_mask

LAWS = ("the_padding_mask_is_true_at_real_tokens",)
ALSO = ()

mask_of = padding_mask


def padding_mask(tokens, pad_id):
    mask = mask_of(tokens, pad_id)
    return mask | (mask.size(0) == 1 and mask.size(-1) > 1)
