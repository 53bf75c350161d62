"""The defaults of train_copy_task are others than those asked for: warmup is 4000 and clip is 5."""

from solutions.ex5_training import train_copy_task

LAWS = ("train_copy_task_follows_the_schedule",)
ALSO = ()


right_run = train_copy_task


def train_copy_task(model, steps, batch=32, length=6, vocab_size=12, warmup=4000, smoothing=0.0, clip=5.0, seed=0):
    return right_run(model, steps, batch, length, vocab_size, warmup, smoothing, clip, seed)
