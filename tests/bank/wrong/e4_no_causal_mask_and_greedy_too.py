"""Neither forward nor greedy_decode hides the target's future."""

import torch

from exercises.ex2_attention import padding_mask
from solutions.ex4_transformer import Transformer

LAWS = ("logits_do_not_see_the_future",)
ALSO = ("forward_joins_the_parts", "greedy_takes_the_best_id")


class Transformer(Transformer):
    def forward(self, src, tgt):
        src_mask, tgt_mask = padding_mask(src, self.pad_id), padding_mask(tgt, self.pad_id)
        return self.out_proj(self.decode(tgt, self.encode(src, src_mask), tgt_mask, src_mask))


def greedy_decode(model, src, max_len, sos_id, eos_id):
    training = model.training
    model.eval()
    with torch.no_grad():
        memory_mask = padding_mask(src, model.pad_id)  # (B, 1, 1, Ts)
        memory = model.encode(src, memory_mask)  # (B, Ts, d_model)
        tokens = src.new_full((src.size(0), 1), sos_id)  # (B, 1)
        ended = torch.zeros_like(src[:, 0], dtype=torch.bool)  # (B,)
        while tokens.size(1) < max_len and not ended.all():
            tgt_mask = padding_mask(tokens, model.pad_id)
            last = model.decode(tokens, memory, tgt_mask, memory_mask)[:, -1]  # (B, d_model)
            best = model.out_proj(last).argmax(dim=-1)  # (B,)
            best = best.masked_fill(ended, model.pad_id)
            tokens = torch.cat([tokens, best.unsqueeze(1)], dim=1)  # (B, T + 1)
            ended = ended | (best == eos_id)
    model.train(training)
    return tokens
