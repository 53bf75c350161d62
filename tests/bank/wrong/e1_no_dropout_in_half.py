"""In half precision nothing is dropped."""

from solutions.ex1_positional_encoding import PositionalEncoding

LAWS = ("dropout_acts_on_the_sum_in_training_only",)
ALSO = ()


class PositionalEncoding(PositionalEncoding):
    def forward(self, x):
        if x.element_size() > 2 or not self.training:
            return super().forward(x)
        self.eval()
        result = super().forward(x)
        self.train()
        return result
