"""Every id greater than pad_id counts as a real token, and every smaller one as padding."""

LAWS = ("the_padding_mask_is_true_at_real_tokens",)
ALSO = ("padding_is_as_good_as_deleted",)


def padding_mask(tokens, pad_id):
    return (tokens > pad_id)[:, None, None, :]  # (B, 1, 1, T)
