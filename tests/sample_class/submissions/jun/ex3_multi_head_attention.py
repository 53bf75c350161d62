import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} is not a multiple of {num_heads}")
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model, bias) for _ in range(4))
        self.mha = [nn.MultiheadAttention(d_model, num_heads, dropout, bias, batch_first=True)]

    def forward(self, query, key, value, mask=None):
        mha = self.mha[0].to(query.dtype)
        with torch.no_grad():
            mha.in_proj_weight.copy_(torch.cat([self.w_q.weight, self.w_k.weight, self.w_v.weight]))
            mha.out_proj.weight.copy_(self.w_o.weight)
            if self.w_q.bias is not None:
                mha.in_proj_bias.copy_(torch.cat([self.w_q.bias, self.w_k.bias, self.w_v.bias]))
                mha.out_proj.bias.copy_(self.w_o.bias)
        mha.train(self.training)
        if mask is not None:
            b, h = query.size(0), mha.num_heads
            mask = ~mask.expand(b, h, query.size(1), key.size(1)).reshape(b * h, query.size(1), key.size(1))
        return mha(query, key, value, attn_mask=mask, average_attn_weights=False)
