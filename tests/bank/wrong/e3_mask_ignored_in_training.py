"""In training mode the mask is ignored; in eval mode it is used."""

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("every_shape_of_mask_works",)
ALSO = ("dropout_acts_on_the_weights", "query_without_keys_gets_nothing", "every_size_works")


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        return super().forward(query, key, value, None if self.training else mask)
