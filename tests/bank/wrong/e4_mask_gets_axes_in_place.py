"""A layer gives its mask four axes by unsqueeze_, so the caller's mask has another shape."""

from solutions.ex4_transformer import EncoderLayer

LAWS = ("state_and_side_effects",)
ALSO = ("encoder_layer_agrees_with_torch",)


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        while mask is not None and mask.dim() < 4:
            mask.unsqueeze_(0)
        return super().forward(x, mask)
