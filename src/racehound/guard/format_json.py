"""Configuration as JSON; the order of the keys and the indentation survive."""

from __future__ import annotations

import json

TYPE_CHECKING = False

if TYPE_CHECKING:
    from racehound.guard.keys import Config

_USUAL_INDENT = "  "


def load(text: str) -> Config:
    if not text.strip():
        return {}
    config = json.loads(text)
    if not isinstance(config, dict):
        raise ValueError(f"the top level is {type(config).__name__}, not an object")  # noqa: TRY004 - all that is wrong with a text is one error
    return config


def dump(config: Config, old: str) -> str:
    return json.dumps(config, indent=_indent_of(old), ensure_ascii=False, allow_nan=False) + "\n"


def _indent_of(text: str) -> str:
    for line in text.splitlines()[1:]:
        content = line.lstrip(" \t")
        if content and content != line:
            return line[: len(line) - len(content)]
    return _USUAL_INDENT
