"""The formats of configuration files, by suffix."""

from __future__ import annotations

import os
from importlib import import_module

from racehound.guard.errors import ConfigInvalid

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any, Protocol

    from racehound.guard.keys import Config

    class Format(Protocol):
        """One format; a module with these two functions is one."""

        def load(self, text: str) -> Config:
            """Raises ValueError for text that is not of the format."""

        def dump(self, config: Config, old: str) -> str:
            """The text of a configuration that keeps what it can of the old text.

            Raises ValueError or TypeError for what the format cannot express.
            """


_BY_SUFFIX = {
    ".json": "format_json",
    ".toml": "format_toml",
    ".ini": "format_ini",
    ".cfg": "format_ini",
    ".conf": "format_ini",
}


def format_of(path: str, name: str | None) -> Format:
    """The format with that name, or else the one that the suffix of the path says."""
    suffix = f".{name}" if name else os.path.splitext(path)[1].lower()
    module = _BY_SUFFIX.get(suffix)
    if module is None:
        raise ConfigInvalid(
            f"Cannot tell the format of {path}: {suffix or 'no suffix'}",
            path=path,
            suggestion="Name the file .json, .toml or .ini, or pass format='json'",
        )
    loaded: Any = import_module(f"racehound.guard.{module}")
    return loaded  # type: ignore[no-any-return]  # the modules of the table have the two functions
