"""What can be set, and how each setting is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from racehound.config.patterns import fault_of

CONFIDENCES = ("certain", "likely", "possible")
FORMATS = ("text", "markdown", "json", "sarif", "html", "github", "gitlab", "junit")
MOST_JOBS = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """None where nothing is set: then the command has its own mind."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    confidence: str | None = None
    format: str | None = None
    output: str | None = None
    baseline: str | None = None
    statistics: bool = False
    checklist: bool = False
    strict: bool = False
    strict_suppressions: bool = False
    prove: bool = False
    unsafe_fixes: bool = False
    budget: float | None = None
    seed: int | None = None
    jobs: int | None = None
    cache: bool = True
    cache_dir: str | None = None
    root: str = ""
    """The directory that paths in the settings are relative to; the current one where there is no file."""
    source: str = ""
    """The file they come from; empty where there is none."""


Reading: TypeAlias = Callable[[object], object]
"""The value of a setting; raises Unfit where it cannot be right."""


class Unfit(ValueError):
    """Says in a clause what a value must be; `key` and `item` lead to the part of it that is not so."""

    def __init__(self, clause: str, *, key: str = "", item: str = "") -> None:
        super().__init__(clause)
        self.key = key
        self.item = item


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise Unfit("must be a list of texts")


def _patterns(value: object) -> tuple[str, ...]:
    patterns = _texts(value)
    for pattern in patterns:
        if fault := fault_of(pattern):
            raise Unfit(fault, item=pattern)
    return patterns


def _text(value: object) -> str:
    if isinstance(value, str) and value and "\0" not in value:
        return value
    raise Unfit("must be a text")


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise Unfit("must be true or false")


def _choice(*known: str) -> Reading:
    def read(value: object) -> str:
        if isinstance(value, str) and value in known:
            return value
        raise Unfit(f"must be one of {', '.join(known)}")

    return read


def _seconds(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1e6:
        return float(value)
    raise Unfit("must be a number of seconds above 0")


def _whole(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise Unfit("must be a whole number")


def _jobs(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_JOBS:
        return value
    raise Unfit(f"must be a whole number from 1 to {MOST_JOBS}")


def _ignores(value: object) -> tuple[tuple[str, tuple[str, ...]], ...]:
    if not isinstance(value, dict):
        raise Unfit("must be a table of patterns, each with a list of rules")
    return tuple((pattern, _ignored(pattern, codes)) for pattern, codes in value.items())


def _ignored(pattern: str, codes: object) -> tuple[str, ...]:
    if fault := fault_of(pattern):
        raise Unfit(fault, key=pattern)
    try:
        return _texts(codes)
    except Unfit as error:
        raise Unfit("must have a list of rules for each pattern", key=pattern) from error


READINGS: Mapping[str, Reading] = {
    "select": _texts,
    "ignore": _texts,
    "extend-select": _texts,
    "extend-ignore": _texts,
    "per-file-ignores": _ignores,
    "exclude": _patterns,
    "extend-exclude": _patterns,
    "force-exclude": _flag,
    "respect-gitignore": _flag,
    "confidence": _choice(*CONFIDENCES),
    "format": _choice(*FORMATS),
    "output": _text,
    "baseline": _text,
    "statistics": _flag,
    "checklist": _flag,
    "strict": _flag,
    "strict-suppressions": _flag,
    "prove": _flag,
    "unsafe-fixes": _flag,
    "budget": _seconds,
    "seed": _whole,
    "jobs": _jobs,
    "cache": _flag,
    "cache-dir": _text,
}
PATHS = frozenset({"output", "baseline", "cache-dir"})
"""Relative to the file that names them."""
