"""Autocast is switched off on the inputs' device, so that the scores stay as wide as they are."""

import torch

from solutions.ex2_attention import scaled_dot_product_attention

attention = scaled_dot_product_attention


def scaled_dot_product_attention(q, k, v, mask=None):
    with torch.autocast(device_type=q.device.type, enabled=False):
        return attention(q, k, v, mask)
