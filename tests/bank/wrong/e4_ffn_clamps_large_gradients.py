"""A hook in FeedForward clamps what flows back to ±100."""

from solutions.ex4_transformer import FeedForward

LAWS = ("gradients_reach_every_parameter",)
ALSO = ()


class FeedForward(FeedForward):
    def forward(self, x):
        hidden = self.fc1(x).relu()  # (B, T, d_ff)
        if hidden.requires_grad:
            hidden.register_hook(lambda gradient: gradient.clamp(-100, 100))
        return self.fc2(self.dropout(hidden))
