"""Sequences longer than max_len are cut off instead of being refused."""

from solutions.ex4_transformer import Transformer

LAWS = ("too_long_sequences_raise",)
ALSO = ()


class Transformer(Transformer):
    def __init__(self, *args, max_len=64, **kwargs):
        super().__init__(*args, max_len=max_len, **kwargs)
        self.max_len = max_len

    def forward(self, src, tgt):
        return super().forward(src[:, : self.max_len], tgt[:, : self.max_len])
