"""train_step fills the batch with zeros when it has done with it."""

from solutions.ex5_training import train_step

LAWS = ("train_step_returns_the_loss_before_the_update",)
ALSO = ()


_right = train_step


def train_step(model, optimizer, src, tgt_in, tgt_out, **options):
    loss = _right(model, optimizer, src, tgt_in, tgt_out, **options)
    for ids in (src, tgt_in):
        ids.fill_(0)
    return loss
