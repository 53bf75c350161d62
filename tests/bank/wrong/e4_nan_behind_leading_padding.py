"""A target that begins with padding makes NaN, where its first token sees nothing."""

from solutions.ex4_transformer import Transformer

LAWS = ("padding_does_not_matter",)
ALSO = ()


class Transformer(Transformer):
    def forward(self, src, tgt):
        leading = (tgt == self.pad_id).cumprod(1).bool().unsqueeze(-1)  # (B, Tt, 1)
        return super().forward(src, tgt).masked_fill(leading, float("nan"))
