"""The hidden layer is squeezed, so a feed-forward network of width one loses its axis."""

from solutions.ex4_transformer import FeedForward

LAWS = ("feed_forward_follows_its_formula",)
ALSO = ()


class FeedForward(FeedForward):
    def forward(self, x):
        return self.fc2(self.dropout(self.fc1(x).relu().squeeze(-1)))
