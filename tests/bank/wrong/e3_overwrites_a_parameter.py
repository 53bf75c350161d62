"""In training mode forward itself shrinks the output weights a little at each call, as weight decay would."""

import torch

from solutions.ex3_multi_head_attention import MultiHeadAttention

LAWS = ("nothing_is_left_behind",)
ALSO = (
    "dropout_acts_on_the_weights",
    "every_shape_of_mask_works",
    "gradients_reach_everything",
    "nothing_is_dropped_in_eval_mode",
    "query_without_keys_gets_nothing",
    "every_size_works",
    "any_memory_layout_works",
)


class MultiHeadAttention(MultiHeadAttention):
    def forward(self, query, key, value, mask=None):
        if self.training:
            with torch.no_grad():
                self.w_o.weight.mul_(0.99)
        return super().forward(query, key, value, mask)
