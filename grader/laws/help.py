"""A line of help for errors that torch and Python raise in a student's code, where their cause is a known one."""

import re

_LOOKED_AT = 500
"""How many characters of a message are searched: students write messages too, and some patterns take long."""
_HELP: tuple[tuple[str, str], ...] = (
    (
        r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)",
        r"A product A @ B needs the last axis of A to be as long as the last but one of B. Here A has \2 columns and B "
        r"has \3 rows. Print both shapes in front of the line: is one of them transposed, or not yet split or joined?",
    ),
    (
        r"(?s)Expected size for first two dimensions of batch2 tensor to be: \[(\d+), (\d+)\] but got: \[(\d+), (\d+)\]",
        r"A product A @ B needs the last axis of A (here \2) to be as long as the last but one of B (here \4), and the "
        r"axes in front of these to agree (here \1 and \3). Print both shapes: which two axes of B have to change places?",
    ),
    (
        r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension (\d+)",
        r"The two tensors of this line do not broadcast: on axis \3 the first one has \1 entries and the second one \2, "
        r"and neither is 1. Print both shapes and count the axes from the right.",
    ),
    (
        r"(?:to|must) have the same dtype, but got|expected scalar type \w+ but found \w+|mixed dtype \(CPU\)",
        "Two tensors of different dtypes meet here. What you create inside should take its dtype from the input "
        "(dtype=x.dtype), also by arithmetic: a boolean tensor times 1.0 is float32. Layers belong in __init__, where "
        "the module's own .to(...) reaches them.",
    ),
    (
        r"Expected all tensors to be on the same device|is not on the expected device|on device meta",
        "Two tensors on different devices meet here. Make what you create inside on the input's device "
        "(device=x.device), or register it as a buffer in __init__.",
    ),
    (
        r"einsum\(\): subscript (\w) has size (\d+) for operand (\d) which does not broadcast with previously seen size (\d+)",
        r"The letter \1 stands for one size everywhere in an einsum, but it was \4 before and is \2 in operand \3 (the "
        r"first operand is 0).",
    ),
    (
        r"shape '(\[.*\])' is invalid for input of size (\d+)",
        r"The tensor has \2 entries in all, and the sizes \1 do not multiply to that. Print its shape in front of the line.",
    ),
    (
        r"Dimension out of range \(expected to be in range of \[-(\d+), \d+\], but got (-?\d+)\)",
        r"The tensor has only \1 axes, counted from 0, or from -1 backwards; there is no axis \2. The laws also pass tensors "
        r"with fewer or more axes in front, where an axis counted from the back is always the same one.",
    ),
    (
        r"view size is not compatible with input tensor's size and stride",
        "`view` needs one block of memory, which a transposed tensor is not. Use `reshape` or `flatten`, or call "
        "`.contiguous()` first.",
    ),
    (
        r"a leaf Variable that requires grad is being used in an in-place operation"
        r"|modified by an inplace operation|a view of a leaf Variable",
        "An operation in place (a name that ends in `_`, or `+=`, or an assignment to a part) changes what the caller "
        "passed in, or what the backward pass needs. Compute a new tensor instead, as in `x = x / 2` for `x /= 2`.",
    ),
    (
        r"cannot assign (?:module|parameter|parameters|buffer)s? before Module.__init__\(\) call"
        r"|object has no attribute '_(?:modules|parameters|buffers)'",
        "`super().__init__()` has to be the first line of your `__init__`.",
    ),
    (
        r"cannot unpack non-iterable NoneType|'NoneType' object (?:is not|has no)",
        "Something here is None: a function that ends without `return` gives None, and so do methods that work in place.",
    ),
    (
        r"only supports boolean masks|only implemented on integer and Boolean-type|to be a boolean tensor",
        "A mask has to be boolean here (dtype torch.bool); `~` turns True into False.",
    ),
    (
        r"value cannot be converted to type .* without overflow",
        "The number is too large for the tensor's dtype: float16 ends at 65,504. Take it from torch.finfo(x.dtype).",
    ),
    (
        r"index out of range in self",
        "An embedding was asked for an id that it does not have: ids run from 0 to the size of the vocabulary minus one.",
    ),
    (
        r"does not require grad and does not have a grad_fn",
        "The loss does not depend on any parameter any more: look for `detach`, `.item()`, `.data` or `torch.no_grad()`.",
    ),
    (
        r"^No module named '(?!exercises\b)",
        "Where you are graded, only torch, numpy, Python's own modules and your own five files can be imported: put "
        'plots and other extras under `if __name__ == "__main__":`, with their imports.',
    ),
    (
        r"^EOF when reading a line",
        'No one answers `input()` where you are graded: call it only under `if __name__ == "__main__":`.',
    ),
    (
        r"^\[Errno 2\] No such file or directory",
        "Where you are graded, no file but your own five is there: open others only under "
        '`if __name__ == "__main__":`.',
    ),
    (
        r"^Missing parentheses in call to 'print'",
        "This is Python 2; the course needs Python 3.",
    ),
    (
        r"unexpected keyword argument '(\w+)'|missing \d+ required positional argument",
        "The parameters of a function have to keep the names and the order that they have in the exercise's file.",
    ),
)


def help_with(message: str) -> str:
    """A sentence or two about the likely cause of an error with this text; empty for an unknown one."""
    beginning = message[:_LOOKED_AT]
    for pattern, words in _HELP:
        found = re.search(pattern, beginning)
        if found is not None:
            return found.expand(words)
    return ""
