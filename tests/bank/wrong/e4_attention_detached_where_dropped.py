"""In training, what the attentions give is detached before it is dropped, so only the sums pass gradients on."""

from solutions.ex4_transformer import DecoderLayer, EncoderLayer

LAWS = ("gradients_reach_every_parameter",)
ALSO = ()


def dropped(layer, attended):
    return layer.dropout(attended.detach()) if layer.training and layer.dropout.p else attended  # (B, T, d_model)


class EncoderLayer(EncoderLayer):
    def forward(self, x, mask=None):
        x = self.norm1(x + dropped(self, self.self_attn(x, x, x, mask)[0]))  # (B, T, d_model)
        return self.norm2(x + self.dropout(self.ffn(x)))  # (B, T, d_model)


class DecoderLayer(DecoderLayer):
    def forward(self, x, memory, tgt_mask=None, memory_mask=None):
        x = self.norm1(x + dropped(self, self.self_attn(x, x, x, tgt_mask)[0]))  # (B, Tt, d_model)
        x = self.norm2(x + dropped(self, self.cross_attn(x, memory, memory, memory_mask)[0]))  # (B, Tt, d_model)
        return self.norm3(x + self.dropout(self.ffn(x)))  # (B, Tt, d_model)
