"""Configuration as TOML; comments and order survive where tomlkit is installed."""

from __future__ import annotations

import tomllib
from importlib import import_module
from importlib.util import find_spec

from racehound.guard import toml_writer
from racehound.guard.keys import is_same

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from typing import Any

    from racehound.guard.keys import Config

load = tomllib.loads


def dump(config: Config, old: str) -> str:
    """The text of the configuration.

    Raises:
        ValueError: for values that would read back as something else, or not at all.
        TypeError: for values that TOML does not have.
    """
    text = None if find_spec("tomlkit") is None else _with_comments(config, old)
    if text is not None and _reads_back(text, config):
        return text
    # What tomlkit cannot do to a document of its own, the plain writer can do to the values.
    text = toml_writer.write(config)
    if not _reads_back(text, config):
        raise ValueError("TOML cannot hold one of the values: a time of day has no zone, and a zone no seconds")
    return text


def _with_comments(config: Config, old: str) -> str | None:
    """None where tomlkit fails: of tables in an odd order it raises whatever it comes across."""
    tomlkit: Any = import_module("tomlkit")
    try:
        document = tomlkit.parse(old)
        _bring_to(document, config, load(old))
        return str(tomlkit.dumps(document))
    except Exception:  # noqa: BLE001 - if it is the values that are wrong, the plain writer says so
        return None


def _reads_back(text: str, config: Config) -> bool:
    try:
        return is_same(load(text), config)
    except ValueError:
        return False


def _bring_to(document: MutableMapping[str, Any], wanted: Config, present: Config) -> None:
    """Touch only what differs, because what is assigned anew loses its comments."""
    for name in [name for name in present if name not in wanted]:
        del document[name]
    for name, value in wanted.items():
        before = present.get(name)
        if isinstance(value, dict) and isinstance(before, dict):
            _bring_to(document[name], value, before)
        elif name not in present or not is_same(before, value):
            document[name] = value
