"""forward returns log-probabilities: a log_softmax stands behind out_proj.

Decided: wrong. The contract says "logits not probabilities", and log-probabilities are probabilities in disguise.
"""

from solutions.ex4_transformer import Transformer

LAWS = ("forward_joins_the_parts",)
ALSO = ()


class Transformer(Transformer):
    def forward(self, src, tgt):
        return super().forward(src, tgt).log_softmax(dim=-1)  # (B, Tt, tgt_vocab)
