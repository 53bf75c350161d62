"""The padding mask is True at the padding instead of at the real tokens."""

LAWS = ("the_padding_mask_is_true_at_real_tokens", "padding_is_as_good_as_deleted")
ALSO = ()


def padding_mask(tokens, pad_id):
    return (tokens == pad_id)[:, None, None, :]  # (B, 1, 1, T)
