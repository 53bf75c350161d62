"""The padding mask has the shape (B, 1, T, 1): it blocks padded queries and leaves padded keys open."""

LAWS = ("the_padding_mask_is_true_at_real_tokens",)
ALSO = ("padding_is_as_good_as_deleted",)


def padding_mask(tokens, pad_id):
    return (tokens != pad_id)[:, None, :, None]  # (B, 1, T, 1)
