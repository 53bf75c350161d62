import torch
import torch.nn.functional as F


def causal_mask(size):
    return torch.ones((size, size), dtype=torch.bool).tril()


def padding_mask(tokens, pad_id):
    return (tokens != pad_id).unsqueeze(1).unsqueeze(2)


def scaled_dot_product_attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        some = mask.any(-1, keepdim=True)
        weights = torch.where(some, scores.masked_fill(~mask, float("-inf")), 0.0).softmax(-1).masked_fill(~mask, 0.0)
        output = F.scaled_dot_product_attention(q, k, v, attn_mask=mask | ~some) * some
        return output, weights
    return F.scaled_dot_product_attention(q, k, v), scores.softmax(-1)
