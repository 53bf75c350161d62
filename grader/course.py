"""The course in one place: which exercises there are, what each asks for, and what each builds on."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOLUTIONS = ROOT / "solutions"
EXERCISES_DIR = ROOT / "exercises"
LAWS_DIR = ROOT / "tests" / "exercises"
ASSIGNMENTS = ROOT / "assignments"
"""The nbgrader course."""

PAD, SOS, EOS = 0, 1, 2
FIRST_CONTENT_ID = 3


@dataclass(frozen=True)
class Exercise:
    """One exercise: `module` is its file name without `.py`; `needs` are the ids it imports from, nearest last."""

    id: str
    module: str
    title: str
    names: tuple[str, ...]
    needs: tuple[str, ...] = ()

    @property
    def filename(self) -> str:
        return f"{self.module}.py"

    @property
    def laws(self) -> Path:
        """The file that holds this exercise's laws."""
        return LAWS_DIR / f"test_{self.module}.py"


EXERCISES: dict[str, Exercise] = {
    exercise.id: exercise
    for exercise in (
        Exercise(
            "ex1",
            "ex1_positional_encoding",
            "Positional encoding",
            ("sinusoidal_encoding", "PositionalEncoding"),
        ),
        Exercise(
            "ex2",
            "ex2_attention",
            "Scaled dot-product attention",
            ("causal_mask", "padding_mask", "scaled_dot_product_attention"),
        ),
        Exercise(
            "ex3",
            "ex3_multi_head_attention",
            "Multi-head attention",
            ("MultiHeadAttention",),
            needs=("ex2",),
        ),
        Exercise(
            "ex4",
            "ex4_transformer",
            "Encoder, decoder, Transformer",
            ("FeedForward", "EncoderLayer", "DecoderLayer", "Transformer", "greedy_decode"),
            needs=("ex1", "ex2", "ex3"),
        ),
        Exercise(
            "ex5",
            "ex5_training",
            "Training on the copy task",
            ("copy_batch", "noam_lr", "label_smoothing_loss", "train_step", "gradient_report", "train_copy_task"),
            needs=("ex1", "ex2", "ex3", "ex4"),
        ),
    )
}


def by_module(module: str) -> Exercise:
    """The exercise whose file is `module`.py; KeyError if there is none."""
    return {exercise.module: exercise for exercise in EXERCISES.values()}[module]
