"""Sentences of one token are squeezed, so that their mask is one sentence's."""

LAWS = ("the_padding_mask_is_true_at_real_tokens",)
ALSO = ()


def padding_mask(tokens, pad_id):
    real = tokens != pad_id  # (B, T)
    if real.size(1) == 1:
        real = real.squeeze(1).unsqueeze(0)
    return real[:, None, None, :]  # (B, 1, 1, T)
