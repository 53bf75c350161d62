import torch
import torch.nn.functional as F

PAD, SOS, EOS = 0, 1, 2


def copy_batch(batch, length, vocab_size, generator=None):
    rows = [torch.randint(3, vocab_size, (length,), generator=generator) for _ in range(batch)]
    src = torch.stack(rows)
    tgt = torch.tensor([[SOS] + row.tolist() + [EOS] for row in rows])
    return src, tgt[:, :-1].clone(), tgt[:, 1:].clone()


def noam_lr(step, d_model, warmup):
    step = 1 if step < 1 else step
    up, down = step * pow(warmup, -1.5), pow(step, -0.5)
    return pow(d_model, -0.5) * (up if up < down else down)


def label_smoothing_loss(logits, target, pad_id=0, smoothing=0.0):
    classes = logits.shape[-1]
    chosen = target.reshape(-1).ne(pad_id).nonzero().squeeze(1)
    z = logits.reshape(-1, classes).index_select(0, chosen)
    y = F.one_hot(target.reshape(-1).index_select(0, chosen), classes).to(z.dtype)
    y = y * (1 - smoothing) + smoothing / classes
    return (torch.logsumexp(z, dim=1) - (y * z).sum(dim=1)).mean()


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    model.train()
    model.zero_grad()
    loss = label_smoothing_loss(model(src, tgt_in), tgt_out, pad_id, smoothing)
    loss.backward()
    if clip is not None:
        torch.nn.utils.clip_grad_norm_([p for p in model.parameters() if p.grad is not None], clip)
    optimizer.step()
    return loss.item()


def gradient_report(model):
    return {name: "missing" if p.grad is None else
            "nan" if bool((~torch.isfinite(p.grad)).any()) else
            "zero" if float(p.grad.norm()) == 0.0 else "ok"
            for name, p in model.named_parameters()}


def train_copy_task(model, steps, batch=32, length=6, vocab_size=12, warmup=40, smoothing=0.0, clip=1.0, seed=0):
    g = torch.Generator()
    g.manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), 1e-3, (0.9, 0.98), 1e-9)
    losses = []
    for step in range(steps):
        for group in optimizer.param_groups:
            group.update(lr=noam_lr(step + 1, model.d_model, warmup) * (steps - step) / steps)
        data = _batch(batch, length, vocab_size, g)
        losses.append(train_step(model, optimizer, *data, pad_id=PAD, smoothing=smoothing, clip=clip))
    return losses


def _batch(batch, length, vocab_size, g):
    return copy_batch(batch, length, vocab_size, g)
