"""The nbgrader course. Run nbgrader's commands in this folder; the README's section for instructors shows which."""

c = get_config()  # noqa: F821 - nbgrader defines it

c.CourseDirectory.course_id = "transformer-by-hand"

# A notebook that names a kernel of its author's machine runs all the same.
c.Execute.kernel_name = "python3"
# The last check of exercise 5 trains a model twice, which takes seconds, and on a busy machine more.
c.Execute.timeout = 120
# A test cell that a student deleted comes back from the source.
c.OverwriteCells.add_missing_cells = True
