"""The code of a notebook, laid out so that each line keeps the number it has in the file.

A notebook is JSON with one line of source per line of the file. What is not code becomes an empty line, so a
finding points to where an editor and a review show it. A notebook in any other layout has its cells one below the
other.
"""

import json
import re

_MAGIC = re.compile(r"(\s*)(?:[%!]|[\w.]+\?+\s*$|\?)")
_OPENING = '"source": ['


def notebook_source(text: str) -> str:
    """Raises ValueError for what is no notebook."""
    cells = _code_cells(json.loads(text))
    in_place = _in_place(cells, text.split("\n"))
    return in_place or "\n\n".join("\n".join(map(_python, cell)) for cell in cells) + "\n"


def _code_cells(document: object) -> list[list[str]]:
    match document:
        case {"cells": list(cells)}:
            return [cell for item in cells if (cell := _code(item))]
    raise ValueError("this JSON is no notebook")


def _code(cell: object) -> list[str]:
    match cell:
        case {"cell_type": "code", "source": list(parts)}:
            text = "".join(map(str, parts))
        case {"cell_type": "code", "source": str(text)}:
            pass
        case _:
            return []
    return [] if text.lstrip().startswith("%%") else text.split("\n")


def _python(line: str) -> str:
    """Commands to the notebook itself do nothing in Python."""
    magic = _MAGIC.match(line)
    return f"{magic[1]}pass" if magic else line


def _in_place(cells: list[list[str]], lines: list[str]) -> str:
    """Each line of code on the line of the file that holds it; nothing where one is not found."""
    written = [line.strip().rstrip(",") for line in lines]
    found = [""] * len(lines)
    at = 0
    for cell in cells:
        at = _place_of(cell, written, at)
        if at < 0:
            return ""
        found[at : at + len(cell)] = map(_python, cell)
    return "\n".join(found)


def _place_of(cell: list[str], written: list[str], start: int) -> int:
    """Where in the file the lines of a cell stand; -1 where they do not."""
    ends = ["\n"] * (len(cell) - 1) + [""]
    wanted = [
        {json.dumps(line + end), json.dumps(line + end, ensure_ascii=False)}
        for line, end in zip(cell, ends, strict=True)
        if line + end
    ]
    for at in range(start, len(written) - len(wanted)):
        if written[at] == _OPENING and all(
            text in choice for text, choice in zip(written[at + 1 :], wanted, strict=False)
        ):
            return at + 1
    return -1
