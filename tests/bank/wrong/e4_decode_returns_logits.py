"""decode already projects to the vocabulary, so it gives logits and not features.

Decided: wrong. The contract says `decode(...) -> (B, Tt, d_model)`, and `forward` gives the logits.
"""

import torch

from exercises.ex2_attention import causal_mask, padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("decode_agrees_with_torch",)
ALSO = (
    "dropout_acts_on_every_sublayer",
    "forward_joins_the_parts",
    "dtype_and_device_of_the_inputs",
    "greedy_takes_the_best_id",
    "padding_does_not_matter",
)


class Transformer(Transformer):
    def decode(self, tgt, memory, tgt_mask=None, memory_mask=None):
        return self.out_proj(super().decode(tgt, memory, tgt_mask, memory_mask))  # (B, Tt, tgt_vocab)

    def forward(self, src, tgt):
        src_mask = padding_mask(src, self.pad_id)  # (B, 1, 1, Ts)
        tgt_mask = causal_mask(tgt.size(1)).to(tgt.device) & padding_mask(tgt, self.pad_id)  # (B, 1, Tt, Tt)
        return self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask)


def greedy_decode(model, src, max_len, sos_id, eos_id):
    training = model.training
    model.eval()
    with torch.no_grad():
        memory_mask = padding_mask(src, model.pad_id)  # (B, 1, 1, Ts)
        memory = model.encode(src, memory_mask)  # (B, Ts, d_model)
        tokens = src.new_full((src.size(0), 1), sos_id)  # (B, 1)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)  # (B,)
        while tokens.size(1) < max_len and not ended.all():
            tgt_mask = causal_mask(tokens.size(1)).to(src.device) & padding_mask(tokens, model.pad_id)
            last = model.decode(tokens, memory, tgt_mask, memory_mask)[:, -1]  # (B, tgt_vocab)
            best = last.argmax(dim=-1)  # (B,)
            best = best.masked_fill(ended, model.pad_id)
            tokens = torch.cat([tokens, best.unsqueeze(1)], dim=1)  # (B, T + 1)
            ended = ended | (best == eos_id)
    model.train(training)
    return tokens
