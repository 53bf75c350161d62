"""The feed-forward network drops its input instead of what comes out of the ReLU."""

from solutions.ex4_transformer import FeedForward

LAWS = ("feed_forward_follows_its_formula",)
ALSO = ()


class FeedForward(FeedForward):
    def forward(self, x):
        return self.fc2(self.fc1(self.dropout(x)).relu())  # (B, T, d_model)
