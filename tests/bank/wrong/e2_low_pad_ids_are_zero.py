"""Padding is looked for at 0 whenever pad_id is below 3, as if the special ids were all padding's."""

LAWS = ("the_padding_mask_is_true_at_real_tokens",)
ALSO = ("padding_is_as_good_as_deleted",)


def padding_mask(tokens, pad_id):
    return (tokens != (0 if pad_id < 3 else pad_id))[:, None, None, :]  # (B, 1, 1, T)
