"""With equal vocabularies the embedding of the target starts as a copy of the source's."""

import torch

from solutions.ex4_transformer import Transformer

LAWS = ("weights_start_xavier_uniform",)
ALSO = ()


class Transformer(Transformer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if self.src_embed.weight.shape == self.tgt_embed.weight.shape:
            with torch.no_grad():
                self.tgt_embed.weight.copy_(self.src_embed.weight)
