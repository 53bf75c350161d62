"""The embeddings are built with padding_idx=0, whatever pad_id is."""

from torch import nn

from solutions.ex4_transformer import Transformer

LAWS = ("gradients_reach_every_parameter",)
ALSO = ()


class Transformer(Transformer):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        for name in ("src_embed", "tgt_embed"):
            table = getattr(self, name)
            setattr(self, name, nn.Embedding.from_pretrained(table.weight, freeze=False, padding_idx=0))
