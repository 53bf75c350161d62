"""In half precision forward uses no masks."""

from solutions.ex4_transformer import Transformer

LAWS = ("dtype_and_device_of_the_inputs",)
ALSO = ()


class Transformer(Transformer):
    def forward(self, src, tgt):
        if self.out_proj.weight.element_size() > 2:
            return super().forward(src, tgt)
        return self.out_proj(self.decode(tgt, self.encode(src)))
