import math
import torch
from torch import nn
import torch.nn.functional as F

PAD, SOS, EOS = 0, 1, 2


def _draw(batch, length, vocab_size, generator):
    return torch.randint(vocab_size - 3, (batch, length), generator=generator) + 3


def copy_batch(batch, length, vocab_size, generator=None):
    src = _draw(batch, length, vocab_size, generator)
    tgt_in = torch.empty(batch, length + 1, dtype=torch.long)
    tgt_in[:, 0], tgt_in[:, 1:] = SOS, src
    tgt_out = torch.empty_like(tgt_in)
    tgt_out[:, :-1], tgt_out[:, -1] = src, EOS
    return src, tgt_in, tgt_out


def noam_lr(step, d_model, warmup):
    s = max(1, int(step))
    return float(torch.tensor([s ** -0.5, s * warmup ** -1.5], dtype=torch.float64).min()) / d_model ** 0.5


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    if logits.dim() == 3:
        logits = logits.transpose(1, 2)
    each = F.cross_entropy(logits, target, reduction="none", label_smoothing=smoothing)
    weight = target.ne(pad_id).to(each.dtype)
    return (each * weight).sum() / weight.sum().clamp_min(1.0)


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    model.train(True)
    optimizer.zero_grad()
    with torch.enable_grad():
        loss = label_smoothing_loss(model(src, tgt_in), tgt_out, pad_id, smoothing)
    loss.backward()
    if clip is not None:
        total = torch.sqrt(sum((p.grad ** 2).sum() for p in model.parameters() if p.grad is not None))
        factor = (clip / (total + 1e-6)).clamp(max=1.0)
        for p in model.parameters():
            if p.grad is not None:
                p.grad.mul_(factor)
    optimizer.step()
    return loss.item()


def gradient_report(model):
    words = {}
    for n, p in model.named_parameters():
        if p.grad is None:
            words[n] = "missing"
        elif not torch.isfinite(p.grad).all():
            words[n] = "nan"
        elif p.grad.any():
            words[n] = "ok"
        else:
            words[n] = "zero"
    return words


def train_copy_task(model, steps, batch=32, length=6, vocab_size=12, warmup=40, smoothing=0.0, clip=1.0, seed=0):
    gen = torch.Generator().manual_seed(seed)
    adam = torch.optim.Adam(list(model.parameters()), lr=noam_lr(1, model.d_model, warmup), betas=(0.9, 0.98), eps=1e-9)
    losses, step = [], 0
    while step < steps:
        step += 1
        adam.param_groups[0]["lr"] = noam_lr(step, model.d_model, warmup) * (steps - step + 1) / steps
        losses += [train_step(model, adam, *copy_batch(batch, length, vocab_size, gen), PAD, smoothing, clip)]
    return losses
