"""TOML files whose errors and whose keys have line numbers."""

import re
import tomllib
from typing import Any

from racehound.errors import ConfigError

_AT = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")


def parse(text: str, name: str) -> dict[str, Any]:
    """Raises a ConfigError that names file and line."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        at = _AT.search(message)
        line = int(at[1]) if at and at[1] else text.count("\n") + 1
        raise ConfigError(f"{name}:{line}: not valid TOML: {_AT.sub('', message)}") from error


def line_of(text: str, keys: tuple[str, ...], item: str = "") -> int:
    """Where the statement begins that gives these nested keys a value, however it is written, or where `item` is.

    Whatever prefix of a file is valid by itself ends between two statements. The first such prefix that knows the
    keys ends with the statement in question.
    """
    lines = text.split("\n")
    begin = 0
    for end in range(1, len(lines) + 1):
        parsed = _prefix("\n".join(lines[:end]))
        if parsed is None:
            continue
        if _has(parsed, keys):
            return _line_with(item, lines, begin, end) or _first_of(lines, begin, end)
        begin = end
    return 1


def _prefix(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def _has(parsed: dict[str, Any], keys: tuple[str, ...]) -> bool:
    current: object = parsed
    for key in keys:
        if not isinstance(current, dict) or key not in current:
            return False
        current = current[key]
    return True


def _line_with(item: str, lines: list[str], begin: int, end: int) -> int:
    """The line of a statement that has this text as a value; 0 where none is seen to have it."""
    wanted = (f'"{item}"', f"'{item}'") if item else ()
    return next((at + 1 for at in range(begin, end) if any(text in lines[at] for text in wanted)), 0)


def _first_of(lines: list[str], begin: int, end: int) -> int:
    """The first line of a statement, blank lines and comments before it left out."""
    numbers = range(begin, end)
    return next((at + 1 for at in numbers if lines[at].strip() and not lines[at].lstrip().startswith("#")), end)
