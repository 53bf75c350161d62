"""The source's mask is made from the number of real tokens, as if padding never stood before one."""

import torch

from solutions.ex4_transformer import Transformer, causal_mask, padding_mask

LAWS = ("padding_does_not_matter",)
ALSO = ()


class Transformer(Transformer):
    def forward(self, src, tgt):
        lengths = (src != self.pad_id).sum(1, keepdim=True)  # (B, 1)
        src_mask = (torch.arange(src.size(1), device=src.device) < lengths)[:, None, None, :]  # (B, 1, 1, Ts)
        tgt_mask = causal_mask(tgt.size(1)).to(tgt.device) & padding_mask(tgt, self.pad_id)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask))
