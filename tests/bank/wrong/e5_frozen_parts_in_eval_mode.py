"""Parts of the model that are frozen are put into eval mode."""

from torch import nn

from solutions.ex5_training import label_smoothing_loss

LAWS = ("train_step_runs_in_train_mode",)
ALSO = ()


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    model.train()
    for m in model.modules():
        ps = list(m.parameters())
        if ps and not any(p.requires_grad for p in ps):
            m.eval()
    optimizer.zero_grad()
    loss = label_smoothing_loss(model(src, tgt_in), tgt_out, pad_id, smoothing)
    loss.backward()
    if clip is not None:
        nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return loss.item()
