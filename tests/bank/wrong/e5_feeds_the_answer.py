"""The decoder reads tgt_out in place of tgt_in, so at each position it sees the very token it must name."""

from solutions.ex5_training import train_step

LAWS = ("train_step_returns_the_loss_before_the_update", "transformer_learns_to_copy")
ALSO = ()


right_step = train_step


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    return right_step(model, optimizer, src, tgt_out, tgt_out, pad_id, smoothing, clip)
