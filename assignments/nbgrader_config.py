"""The nbgrader course. Run nbgrader's commands in this folder; the README's section for instructors shows which."""

from nbgrader.converters import Autograde

from grader.notebooks.mend import MendDuplicates, RestoreCells

c = get_config()  # noqa: F821 - nbgrader defines it

c.CourseDirectory.course_id = "transformer-by-hand"

# A notebook that names a kernel of its author's machine runs all the same.
c.Execute.kernel_name = "python3"
# A check ends by itself: each trial of a law after 10 s, or 120 s if it trains a model, and what fails on a student's
# own earlier exercises is tried again. So this is the limit of the other cells, and a last one for checks.
c.Execute.timeout_func = lambda cell: 300 if "check(" in cell.source else 60

# `nbgrader zip_collect` takes STUDENT_ex2_attention.ipynb, also as Canvas and Moodle name downloads: NAME_NUMBER_….
c.FileNameCollectorPlugin.named_regexp = (
    r".*[/\\](?P<student_id>[^/\\]+?(?:_\d+)?)(?:_\d+|_assignsubmission_file)?_(?P<file_id>ex[1-5]_[a-z_]+)\.ipynb$"
)

# Accidents of copying and deleting cells cost nobody a point, and do not end the batch.
OURS = {"DeduplicateIds": MendDuplicates, "OverwriteCells": RestoreCells}
c.Autograde.sanitize_preprocessors = [
    OURS.get(step.__name__, step) for step in Autograde.sanitize_preprocessors.default()
]
