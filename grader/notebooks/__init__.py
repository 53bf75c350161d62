"""What the course's notebooks import: `check` tries a law on the notebook's own code, and `use_earlier_parts` says
whose earlier exercises it builds on."""

from grader.notebooks.check import check
from grader.notebooks.earlier import use_earlier_parts

__all__ = ["check", "use_earlier_parts"]
