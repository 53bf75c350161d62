"""The feed-forward network flattens its input with `view`, which fails where x is not contiguous."""

from solutions.ex4_transformer import FeedForward

LAWS = ("feed_forward_follows_its_formula",)
ALSO = ()


class FeedForward(FeedForward):
    def forward(self, x):
        flat = x.view(-1, x.size(-1))  # (B * T, d_model)
        return super().forward(flat).view(x.shape)  # (B, T, d_model)
