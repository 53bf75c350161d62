"""What `nbgrader autograde` does to a submission before it runs it, where nbgrader's own steps fall over.

`assignments/nbgrader_config.py` puts these in place of the steps that they derive from.
"""

from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader.preprocessors import DeduplicateIds, OverwriteCells


class MendDuplicates(DeduplicateIds):
    """A copy of one of our cells becomes a cell of the student's own.

    nbgrader leaves its empty marks on it, takes them for those of an old version, and ends the whole batch.
    """

    def preprocess_cell(self, cell: NotebookNode, resources: Any, cell_index: int) -> tuple[NotebookNode, Any]:
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        if cell.metadata.get("nbgrader") == {}:
            del cell.metadata["nbgrader"]
        return cell, resources


class RestoreCells(OverwriteCells):
    """Our cells are as they were released, also those that a submission lacks: tests at its end, others at its start.

    nbgrader leaves missing tests for manual grading, or puts them behind a cell that may be missing, too.
    """

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        self.add_missing_cells = True
        return super().preprocess(nb, resources)

    def add_missing_grade_cells(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        released = self.gradebook.find_notebook(self.notebook_id, self.assignment_id)
        points = {cell.name: cell.max_score for cell in released.grade_cells}
        present = {cell.metadata.get("nbgrader", {}).get("grade_id") for cell in nb.cells}
        missing = [cell for cell in released.source_cells if cell.locked and cell.name not in present]
        restored = [(cell.name in points, _restored(cell, points.get(cell.name))) for cell in missing]
        before = [cell for is_test, cell in restored if not is_test]
        nb.cells = [*before, *nb.cells, *(cell for is_test, cell in restored if is_test)]
        return nb, resources


def _restored(released: Any, points: float | None) -> NotebookNode:
    """The cell that the gradebook keeps under this name."""
    cell = new_code_cell(released.source, id=released.name)
    cell.metadata.nbgrader = NotebookNode(
        grade=points is not None,
        grade_id=released.name,
        locked=True,
        solution=False,
        task=False,
        schema_version=3,
        checksum=released.checksum,
        cell_type=released.cell_type,
    )
    if points is not None:
        cell.metadata.nbgrader.points = points
    return cell
