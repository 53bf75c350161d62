import math
import torch
from torch import nn
import torch.nn.functional as F

PAD, SOS, EOS = 0, 1, 2


def copy_batch(batch, length, vocab_size, generator=None):
    src = torch.randint(3, vocab_size, size=(batch, length), generator=generator)
    return src, F.pad(src, (1, 0), value=SOS), F.pad(src, (0, 1), value=EOS)


def noam_lr(step, d_model, warmup):
    if step == 0:
        step = 1
    return (d_model ** (-0.5)) * min(step ** (-0.5), step * warmup ** (-1.5))


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    return F.cross_entropy(logits.flatten(0, -2), target.flatten(), ignore_index=pad_id, label_smoothing=smoothing)


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    model.train()
    out = model(src, tgt_in)
    loss = label_smoothing_loss(out, tgt_out, pad_id, smoothing)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    if clip:
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=clip)
    optimizer.step()
    return float(loss)


def gradient_report(model):
    def state(g):
        if g is None:
            return "missing"
        if not torch.isfinite(g).all():
            return "nan"
        return "ok" if torch.count_nonzero(g) else "zero"
    return {n: state(p.grad) for n, p in model.named_parameters()}


def train_copy_task(model, steps, batch=32, length=6, vocab_size=12, warmup=40, smoothing=0.0, clip=1.0, seed=0):
    rng = torch.Generator()
    rng.manual_seed(seed)
    opt = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: noam_lr(s + 1, model.d_model, warmup) * (steps - s) / steps)
    history = []
    for _ in range(steps):
        history.append(train_step(model, opt, *copy_batch(batch, length, vocab_size, rng), clip=clip, smoothing=smoothing))
        sched.step()
    return history
