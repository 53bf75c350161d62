"""The tokens are compared with 0, whatever pad_id is."""

LAWS = ("the_padding_mask_is_true_at_real_tokens",)
ALSO = ("padding_is_as_good_as_deleted",)


def padding_mask(tokens, pad_id):
    return (tokens != 0)[:, None, None, :]  # (B, 1, 1, T)
