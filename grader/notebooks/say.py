"""How the course speaks from a notebook's cell: in sentences, without a traceback."""


class Said(Exception):
    """Ends a cell. IPython shows the text and nothing else."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


class NotHeld(Said):
    """A law does not hold, or cannot be tried yet."""
