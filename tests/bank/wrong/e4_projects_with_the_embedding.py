"""If both vocabularies have one size, the logits are made with tgt_embed's weights instead of out_proj's."""

from torch.nn import functional as F

from solutions.ex4_transformer import Transformer, causal_mask, padding_mask

LAWS = ("forward_joins_the_parts",)
ALSO = ("gradients_reach_every_parameter",)


class Transformer(Transformer):
    def forward(self, src, tgt):
        if self.src_embed.weight.shape != self.tgt_embed.weight.shape:
            return super().forward(src, tgt)
        src_mask = padding_mask(src, self.pad_id)
        tgt_mask = causal_mask(tgt.size(1)).to(tgt.device) & padding_mask(tgt, self.pad_id)
        hidden = self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask)
        return F.linear(hidden, self.tgt_embed.weight, self.out_proj.bias)
