"""Changes to an INI file line by line, so that everything else stays as it was written."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Mapping

    Sections = Mapping[str, Mapping[str, str]]


def edit(text: str, present: Sections, wanted: Sections) -> str:
    """The text with the sections and values wanted; lines of unchanged keys are not touched."""
    blocks = _blocks(text)
    kept: list[str] = []
    for section, lines in blocks:
        if section is None:
            kept += lines
        elif section in wanted:
            kept += _edited(lines, present.get(section, {}), wanted[section])
    known = {section for section, _ in blocks}
    for section, values in wanted.items():
        if section not in known:
            blank = [""] if kept and kept[-1].strip() else []
            kept += [*blank, f"[{section}]", *(_line(name, value) for name, value in values.items())]
    return "\n".join(kept) + "\n" if kept else ""


def _blocks(text: str) -> list[tuple[str | None, list[str]]]:
    """The lines of each section with its header; what comes before the first has no name."""
    blocks: list[tuple[str | None, list[str]]] = [(None, [])]
    for line in text.splitlines():
        stripped = line.strip()
        if line[:1] == "[" and "]" in stripped:
            blocks.append((stripped[1 : stripped.rindex("]")], []))
        blocks[-1][1].append(line)
    return blocks


def _edited(lines: list[str], present: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    result: list[str] = []
    name: str | None = None
    for line in lines:
        if not _continues(line, name):
            name = _name_of(line, present)
            if name is not None and wanted.get(name) != present[name]:
                result += [_line(name, wanted[name])] if name in wanted else []
                continue
        elif name is not None and wanted.get(name) != present[name]:
            continue
        result.append(line)
    new = [_line(name, value) for name, value in wanted.items() if name not in present]
    end = len(result)
    while end > 1 and not result[end - 1].strip():
        end -= 1
    return result[:end] + new + result[end:]


def _continues(line: str, name: str | None) -> bool:
    """Whether a line belongs to the value that began above it."""
    return name is not None and line[:1] in {" ", "\t"} and bool(line.strip()) and line.lstrip()[0] not in "#;"


def _name_of(line: str, present: Mapping[str, str]) -> str | None:
    if line[:1] in {"#", ";", "[", ""}:
        return None
    ends = [at for at in (line.find("="), line.find(":")) if at >= 0]
    name = line[: min(ends)].strip() if ends else line.strip()
    return name if name in present else None


def _line(name: str, value: str) -> str:
    return f"{name} = " + value.replace("\n", "\n\t")
