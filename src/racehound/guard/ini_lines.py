"""Changes to an INI file line by line, so that everything else stays as it was written.

What a line is, a header, a key, the rest of a value, is decided as `configparser` decides it: a line that is
indented more than the key above it belongs to the value of that key, up to the next comment or empty line.
"""

from __future__ import annotations

from math import inf

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Sections = Mapping[str, Mapping[str, str]]


class _Piece:
    """The lines of a header, of a key with its value, or of what is neither (`name` is None)."""

    __slots__ = ("lines", "name", "section")

    def __init__(self, section: str | None, name: str | None, line: str) -> None:
        self.section = section
        self.name = name
        self.lines = [line]

    @property
    def indent(self) -> str:
        line = self.lines[0]
        return line[: len(line) - len(line.lstrip())]


def edit(text: str, present: Sections, wanted: Sections) -> str:
    """The text with the sections and values wanted; lines of unchanged keys are not touched."""
    end = "\r\n" if "\r\n" in text else "\n"
    blocks = _blocks(text)
    kept: list[str] = []
    for section, pieces in blocks.items():
        if section is None:
            kept += [line for piece in pieces for line in piece.lines]
        elif section in wanted:
            kept += _edited(pieces, present.get(section, {}), wanted[section])
    for section, values in wanted.items():
        if section not in blocks:
            blank = [""] if kept and kept[-1].strip() else []
            kept += [*blank, f"[{section}]", *(_line(name, value) for name, value in values.items())]
    return "".join(line.rstrip("\r").replace("\n", end) + end for line in kept)


def _blocks(text: str) -> dict[str | None, list[_Piece]]:
    """The pieces of each section with its header; what comes before the first has no section."""
    blocks: dict[str | None, list[_Piece]] = {None: []}
    for piece in _pieces(text):
        blocks.setdefault(piece.section, []).append(piece)
    return blocks


def _pieces(text: str) -> Iterator[_Piece]:
    section: str | None = None
    piece: _Piece | None = None
    level = inf
    for line in text.removesuffix("\n").split("\n") if text else ():
        content = line.strip()
        indent = len(line) - len(line.lstrip())
        if not content or content[0] in "#;":
            piece, level = _Piece(section, None, line), inf
        elif piece is not None and piece.name is not None and indent > level:
            piece.lines.append(line)
            continue
        elif content[0] == "[" and "]" in content:
            section, level = content[1 : content.rindex("]")], indent
            piece = _Piece(section, None, line)
        else:
            piece, level = _Piece(section, _name_in(content), line), indent
        yield piece


def _name_in(content: str) -> str:
    ends = [at for at in (content.find("="), content.find(":")) if at >= 0]
    return content[: min(ends)].strip() if ends else content


def _edited(pieces: list[_Piece], present: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    result: list[str] = []
    indent = ""
    for piece in pieces:
        name = piece.name
        indent = indent if name is None else piece.indent
        if name is None or name not in present or wanted.get(name) == present[name]:
            result += piece.lines
        elif name in wanted:
            result.append(_line(name, wanted[name], indent))
    new = [_line(name, value, indent) for name, value in wanted.items() if name not in present]
    end = len(result)
    while end > 1 and not result[end - 1].strip():
        end -= 1
    return result[:end] + new + result[end:]


def _line(name: str, value: str, indent: str = "") -> str:
    return f"{indent}{name} = " + value.replace("\n", f"\n{indent}\t")
