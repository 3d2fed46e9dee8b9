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
    if find_spec("tomlkit") is None:
        return toml_writer.write(config)
    return _dump_with_comments(config, old)


def _dump_with_comments(config: Config, old: str) -> str:
    tomlkit: Any = import_module("tomlkit")
    document = tomlkit.parse(old)
    _bring_to(document, config, load(old))
    text: str = tomlkit.dumps(document)
    # What tomlkit cannot do to a document of its own, the plain writer can do to the values.
    return text if is_same(load(text), config) else toml_writer.write(config)


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
