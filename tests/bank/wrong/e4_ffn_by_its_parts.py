"""The layer calls ffn.fc1 and ffn.fc2 itself, so the dropout between them never acts."""

from solutions.ex4_transformer import EncoderLayer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ()


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        x = self.norm1(x + self.dropout(self.self_attn(x, x, x, mask)[0]))
        return self.norm2(x + self.dropout(self.ffn.fc2(self.ffn.fc1(x).relu())))
