"""Each decoder layer drops entries of the memory before it attends to them."""

from solutions.ex4_transformer import DecoderLayer

LAWS = ("dropout_acts_on_every_sublayer",)
ALSO = ()


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        return super().forward(x, self.dropout(memory), tgt_mask, memory_mask)
