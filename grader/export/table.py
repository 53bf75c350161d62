"""A CSV file of someone else's, in which some cells are written and all others stay as they are, byte by byte."""

import re
from dataclasses import dataclass

_BOM = "\ufeff"
_DELIMITERS = ",;\t"


class NotATable(Exception):
    """A file that cannot be read as CSV; the text continues a sentence that begins with the file's name."""


@dataclass
class Table:
    """The cells of each row as they stand in the file, quotes and all, and each row's line end."""

    bom: str
    delimiter: str
    cells: list[list[str]]
    ends: list[str]

    @classmethod
    def parse(cls, content: bytes) -> "Table":
        """Read UTF-8, with or without a byte order mark; the delimiter is the one that the header has most of."""
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            raise NotATable("is not UTF-8; export it again, or save it as CSV UTF-8") from None
        bom = _BOM if text.startswith(_BOM) else ""
        text = text.removeprefix(_BOM)
        header = re.sub(r'"[^"]*"', "", text).partition("\n")[0]
        delimiter = max(_DELIMITERS, key=header.count)
        table = cls(bom, delimiter, [], [])
        table._read(text)
        if not table.cells:
            raise NotATable("is empty")
        return table

    def _read(self, text: str) -> None:
        cell = re.compile(
            rf'("(?:[^"]|"")*"|[^{self.delimiter}\r\n"][^{self.delimiter}\r\n]*|)({self.delimiter}|\r?\n|\Z)'
        )
        row: list[str] = []
        at = 0
        while at < len(text):
            match = cell.match(text, at)
            if match is None:
                raise NotATable(f"is not CSV in line {text.count(chr(10), 0, at) + 1}")
            row.append(match[1])
            at = match.end()
            if match[2] != self.delimiter:
                self._end(row, match[2])
                row = []
            elif at == len(text):
                self._end([*row, ""], "")

    def _end(self, row: list[str], end: str) -> None:
        self.cells.append(row)
        self.ends.append(end)

    @property
    def header(self) -> list[str]:
        """The texts of the first row."""
        return self.row(0)

    def row(self, number: int) -> list[str]:
        """The texts of one row, as many as the first row has."""
        width = max(len(self.cells[0]), len(self.cells[number]))
        texts = [_unquoted(cell) for cell in self.cells[number]]
        return texts + [""] * (width - len(texts))

    def write(self, number: int, column: int, text: str) -> None:
        """Put `text`, which needs no quotes, in a cell, within quotes if there are some already."""
        row = self.cells[number]
        row.extend([""] * (column + 1 - len(row)))
        row[column] = f'"{text}"' if row[column].startswith('"') else text

    def content(self) -> bytes:
        """The whole file."""
        lines = (self.delimiter.join(row) + end for row, end in zip(self.cells, self.ends, strict=True))
        return (self.bom + "".join(lines)).encode("utf-8")


def _unquoted(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if cell.startswith('"') else cell
