"""Without gradients, as in use, the future of the target is not hidden."""

import torch

from exercises.ex2_attention import causal_mask, padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("logits_do_not_see_the_future",)
ALSO = ("forward_joins_the_parts",)


class Transformer(Transformer):
    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)  # (B, 1, 1, Ts)
        tgt_mask = padding_mask(tgt, self.pad_id)  # (B, 1, 1, Tt)
        if torch.is_grad_enabled():
            tgt_mask = tgt_mask & causal_mask(tgt.size(1)).to(tgt.device)  # (B, 1, Tt, Tt)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask))
