"""Answers with tensors whose memory was taken away. Earns the masks."""

EARNS = ("the_causal_mask_is_a_lower_triangle", "the_padding_mask_is_true_at_real_tokens")
SAYS = ("a tensor whose memory was taken away",)


def scaled_dot_product_attention(q, k, v, mask=None):
    output, weights = torch.ones(*q.shape[:-1], v.shape[-1]), torch.ones(*q.shape[:-1], k.shape[-2])
    for tensor in (output, weights):
        tensor.untyped_storage().resize_(0)
    return output, weights
