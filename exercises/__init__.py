"""Your five exercises. Each file says what is asked, and each TODO where to write it.

A later exercise imports the earlier ones, so keep the names of files, functions, classes and arguments.
"""
