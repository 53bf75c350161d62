"""The ids are compared as float32, which makes large ones equal."""

LAWS = ("the_padding_mask_is_true_at_real_tokens",)
ALSO = ()


def padding_mask(tokens, pad_id):
    return (tokens.float() != float(pad_id))[:, None, None, :]
