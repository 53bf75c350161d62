"""encode flattens the ids with view, which fails if they are not contiguous in memory."""

from solutions.ex4_transformer import Transformer

LAWS = ("encode_agrees_with_torch",)
ALSO = (
    "forward_joins_the_parts",
    "padding_does_not_matter",
)


class Transformer(Transformer):
    def encode(self, src, src_mask=None):
        flat = self.src_embed(src.view(-1)) * self.d_model**0.5  # (B * Ts, d_model)
        x = self.position(flat.view(*src.shape, -1))
        for layer in self.encoder:
            x = layer(x, src_mask)
        return x
