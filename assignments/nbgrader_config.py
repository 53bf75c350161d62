"""The nbgrader course. Run nbgrader's commands in this folder; the README's section for instructors shows which."""

from nbgrader.converters import Autograde

from grader.notebooks.mend import MendDuplicates, RestoreCells

c = get_config()  # noqa: F821 - nbgrader defines it

c.CourseDirectory.course_id = "transformer-by-hand"

# A notebook that names a kernel of its author's machine runs all the same.
c.Execute.kernel_name = "python3"
# The last check of exercise 5 trains a model, which takes seconds, and on a busy machine more.
c.Execute.timeout = 120

# Accidents of copying and deleting cells cost nobody a point, and do not end the batch.
OURS = {"DeduplicateIds": MendDuplicates, "OverwriteCells": RestoreCells}
c.Autograde.sanitize_preprocessors = [
    OURS.get(step.__name__, step) for step in Autograde.sanitize_preprocessors.default()
]
