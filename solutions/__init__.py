"""The course's own answers, one module per exercise, and the one source of the skeletons in `exercises/`.

What stands between `### BEGIN SOLUTION` and `### END SOLUTION` is what students write; `grader build` takes
it out and leaves the numbered steps above it. Imports name `exercises`, so that an answer runs beside a
student's files.
"""
