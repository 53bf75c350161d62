"""The feed-forward network uses ReLU6, which ends at six."""

from torch.nn import functional as F

from solutions.ex4_transformer import FeedForward

LAWS = ("feed_forward_follows_its_formula",)
ALSO = ()


class FeedForward(FeedForward):
    def forward(self, x):
        return self.fc2(self.dropout(F.relu6(self.fc1(x))))
