import torch
from torch import nn

PAD, SOS, EOS = 0, 1, 2
FIRST = 3


def copy_batch(batch, length, vocab_size, generator=None):
    src = torch.randint(FIRST, vocab_size, (batch, length), generator=generator)
    sos = torch.full((batch, 1), SOS, dtype=torch.long)
    eos = torch.full((batch, 1), EOS, dtype=torch.long)
    tgt_in = torch.cat([sos, src], dim=1)
    tgt_out = torch.cat([src, eos], dim=1)
    return src, tgt_in, tgt_out


def noam_lr(step, d_model, warmup):
    step = max(step, 1)
    return d_model ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)


def label_smoothing_loss(logits, target, pad_id=PAD, smoothing=0.0):
    logits = logits.reshape(-1, logits.size(-1))
    target = target.reshape(-1)
    logp = torch.log_softmax(logits, dim=-1)
    nll = -logp.gather(1, target.unsqueeze(1)).squeeze(1)
    uniform = -logp.mean(dim=-1)
    per_token = (1.0 - smoothing) * nll + smoothing * uniform
    real = target != pad_id
    return (per_token * real).sum() / real.sum().clamp(min=1)


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=PAD, smoothing=0.0, clip=None):
    model.train()
    optimizer.zero_grad()
    logits = model(src, tgt_in)
    loss = label_smoothing_loss(logits, tgt_out, pad_id, smoothing)
    loss.backward()
    if clip is not None:
        nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return loss.item()


def gradient_report(model):
    report = {}
    for name, p in model.named_parameters():
        if p.grad is None:
            report[name] = "missing"
        elif not torch.isfinite(p.grad).all():
            report[name] = "nan"
        elif bool((p.grad == 0).all()):
            report[name] = "zero"
        else:
            report[name] = "ok"
    return report


def train_copy_task(model, steps, batch=32, length=6, vocab_size=12, warmup=40, smoothing=0.0,
                    clip=1.0, seed=0):
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    losses = []
    for step in range(steps):
        src, tgt_in, tgt_out = copy_batch(batch, length, vocab_size, generator)
        for group in optimizer.param_groups:
            group["lr"] = noam_lr(step, model.d_model, warmup) * (steps - step) / steps
        losses.append(train_step(model, optimizer, src, tgt_in, tgt_out, PAD, smoothing, clip))
    return losses
