"""Without a seed the run is seeded with 42, not with 0."""

from solutions.ex5_training import train_copy_task

LAWS = ("train_copy_task_follows_the_schedule",)
ALSO = ()

_right = train_copy_task


def train_copy_task(model, steps, **options):
    return _right(model, steps, **{"seed": 42, **options})
