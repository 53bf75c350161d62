"""out_proj shares its weight with the target's embedding, as in the paper.

Decided: wrong. The contract says "no weight tying".
"""

from solutions.ex4_transformer import Transformer

LAWS = ("every_part_has_its_parameters",)
ALSO = ("padding_does_not_matter", "rows_end_one_by_one", "decoding_leaves_the_model_as_it_was")


class Transformer(Transformer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.out_proj.weight = self.tgt_embed.weight
