"""The gradient is the mean over two halves of the batch, each a mean of its own: padding counts."""

from solutions.ex5_training import label_smoothing_loss, train_step

LAWS = ("train_step_updates_the_parameters_once",)
ALSO = ()


one_step = train_step


def train_step(model, optimizer, src, tgt_in, tgt_out, pad_id=0, smoothing=0.0, clip=None):
    half = (len(src) + 1) // 2
    if clip is not None or len(src) < 2:
        return one_step(model, optimizer, src, tgt_in, tgt_out, pad_id, smoothing, clip)
    model.train()
    optimizer.zero_grad()
    logits = model(src, tgt_in)  # (B, T, V)
    parts = [
        label_smoothing_loss(logits[rows], tgt_out[rows], pad_id, smoothing)
        for rows in (slice(half), slice(half, None))
    ]
    (sum(parts) / 2).backward()
    optimizer.step()
    return label_smoothing_loss(logits, tgt_out, pad_id, smoothing).item()
