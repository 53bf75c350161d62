"""Text that untrusted code wrote, made fit to be shown."""

_KEPT = frozenset("\n\t")


def clean(text: object, limit: int) -> str:
    """At most `limit` characters of `text`, with control, direction and other invisible characters escaped."""
    if not isinstance(text, str):
        return "?"
    text = text[:limit]
    if text.isascii() and text.isprintable():
        return text
    # Not printable are control, surrogate and format characters: among them all that turn the direction.
    return "".join(char if char in _KEPT or char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return f"\\u{ord(char):04x}"
