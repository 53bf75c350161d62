import torch


def causal_mask(size):
    return torch.ones((size, size), dtype=torch.bool).tril()


def padding_mask(tokens, pad_id):
    return (tokens != pad_id).unsqueeze(1).unsqueeze(2)


def scaled_dot_product_attention(q, k, v, mask=None):
    logits = q.matmul(k.transpose(-1, -2)).div(q.size(-1) ** 0.5)
    if mask is not None:
        logits = logits.masked_fill(mask == False, -torch.inf)  # noqa: E712
    p = torch.nan_to_num(torch.softmax(logits, dim=-1), nan=0.0)
    return p @ v, p
