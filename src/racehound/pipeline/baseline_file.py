"""The file that a baseline is kept in: JSON with one finding per line, so that two versions can be compared."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from racehound.errors import ConfigError, UsageError
from racehound.pipeline.files import write_atomically

VERSION = 1
_HINT = "mend the file, or write it anew with --write-baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A finding as the file has it; what is not needed to know it again is for those who read the file."""

    fingerprint: str
    count: int
    rule: str
    path: str
    message: str
    parts: tuple[str, ...] = ()
    """Fingerprints of the findings that it tells together."""
    confidence: str = ""
    """Empty in files that were written before it was kept."""


def read_baseline(path: str) -> tuple[Entry, ...]:
    """Raises a ConfigError that names the line which cannot be understood."""
    text = _text(path)
    match _parsed(path, text):
        case {"version": 1, "findings": list(items)}:
            return tuple(_entry(item, number, text, path) for number, item in enumerate(items))
        case {"version": int(version)} if version != VERSION:
            raise _broken(path, 1, f"its version is {version}, and this racehound reads {VERSION}")
    raise _broken(path, 1, 'it needs "version" and "findings"')


def _text(path: str) -> str:
    try:
        return Path(path).read_text("utf-8-sig")
    except OSError as error:
        message = f"cannot read the baseline {path}: {error.strerror}"
        raise UsageError(message, hint="write it with --write-baseline") from error
    except UnicodeDecodeError as error:
        raise _broken(path, error.object[: error.start].count(b"\n") + 1, "it is not UTF-8") from error


def _parsed(path: str, text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise _broken(path, error.lineno, error.msg) from error
    except RecursionError as error:
        raise _broken(path, 1, "it is nested too deeply") from error


def _broken(path: str, line: int, what: str) -> ConfigError:
    return ConfigError(f"{path}:{line}: not a baseline: {what}", hint=_HINT)


def _entry(item: object, number: int, text: str, path: str) -> Entry:
    match item:
        case {
            "fingerprint": str(fingerprint),
            "count": int(count),
            "rule": str(rule),
            "path": str(where),
            "message": str(message),
            **rest,
        } if count > 0 and _are_texts(parts := rest.get("parts", [])):
            return Entry(
                fingerprint=fingerprint,
                count=count,
                rule=rule,
                path=where,
                message=message,
                parts=tuple(parts),
                confidence=str(rest.get("confidence", "")),
            )
    wanted = '"rule", "path", "fingerprint", "count" and "message"'
    raise _broken(path, _line_of(number, text), f"a finding needs {wanted}")


def _are_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _line_of(number: int, text: str) -> int:
    """Where the finding with this number begins."""
    decoder = json.JSONDecoder()
    at = text.index("[", text.index('"findings"')) + 1
    for _ in range(number):
        at = decoder.raw_decode(text, _skip(text, at))[1]
    return text.count("\n", 0, _skip(text, at)) + 1


def _skip(text: str, at: int) -> int:
    while text[at] in " \t\r\n,":
        at += 1
    return at


def write_baseline(path: str, entries: Iterable[Entry]) -> None:
    """In a fixed order; the file is replaced at once."""
    ordered = sorted(entries, key=lambda entry: (entry.path, entry.rule, entry.fingerprint))
    lines = [_line(_written(entry)) for entry in ordered]
    body = "[\n    " + ",\n    ".join(lines) + "\n  ]" if lines else "[]"
    write_atomically(path, f'{{\n  "version": {VERSION},\n  "findings": {body}\n}}\n')


def _line(written: dict[str, object]) -> str:
    """With the letters as they are, unless a name has some that no text has."""
    line = json.dumps(written, ensure_ascii=False)
    return line if line.isprintable() else json.dumps(written)


def _written(entry: Entry) -> dict[str, object]:
    return {
        "rule": entry.rule,
        "path": entry.path,
        "fingerprint": entry.fingerprint,
        "count": entry.count,
        "message": entry.message,
        **({"confidence": entry.confidence} if entry.confidence else {}),
        **({"parts": entry.parts} if entry.parts else {}),
    }
