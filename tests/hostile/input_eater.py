"""Waits for input at import. Earns nothing."""

EARNS = ()
SAYS = ("cannot be imported: EOFError",)

name = input("your name? ")
