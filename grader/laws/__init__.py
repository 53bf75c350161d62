"""What the laws of `tests/exercises/` are written with.

"The contract", here and in the laws, is what the exercises' docstrings promise: names, shapes, masks, errors.
"""
