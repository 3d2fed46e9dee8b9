"""From a file to settings; what cannot be right is said with file and line, and with what would be right."""

import difflib
import os
from pathlib import Path
from typing import Any

from racehound.config.settings import PATHS, READINGS, Settings, Unfit
from racehound.errors import ConfigError

PROJECT = "pyproject.toml"
SECTION = ("tool", "racehound")


def has_section(path: Path) -> bool:
    """True if a `pyproject.toml` speaks of racehound; one that is broken may, and is complained of."""
    text = _text(path)
    return SECTION[1] in text and _section(_parsed(text, path), path) is not None


def read_settings(path: Path) -> Settings:
    document, prefix = _parsed(_text(path), path), _prefix(path)
    if prefix:
        section = _section(document, path)
        if section is None:
            raise ConfigError(f"{shown(path)} has no [tool.racehound]", hint="add the table, or name another file")
        document = section
    values = {key: _value(path, key, value) for key, value in document.items()}
    return Settings(
        **{key.replace("-", "_"): _located(path, key, value) for key, value in values.items()},
        root=str(path.parent),
        source=str(path),
    )


def place_of(path: Path, *keys: str, item: str = "") -> str:
    """File and line of a setting, or of an item in its value, for a message about it."""
    from racehound.config.toml import line_of  # noqa: PLC0415 - needed for complaints alone

    return f"{shown(path)}:{line_of(_text(path), (*_prefix(path), *keys), item)}"


def _parsed(text: str, path: Path) -> dict[str, Any]:
    from racehound.config.toml import parse  # noqa: PLC0415 - a project without settings need not pay for TOML

    return parse(text, shown(path))


def _prefix(path: Path) -> tuple[str, ...]:
    return SECTION if path.name == PROJECT else ()


def _section(document: dict[str, Any], path: Path) -> dict[str, Any] | None:
    match document:
        case {"tool": {"racehound": dict(section)}}:
            return section
        case {"tool": {"racehound": _}}:
            raise ConfigError(f"{place_of(path)}: `tool.racehound` must be a table", hint="write [tool.racehound]")
    return None


def _value(path: Path, key: str, value: object) -> Any:
    reading = READINGS.get(key)
    if reading is None:
        raise ConfigError(f"{place_of(path, key)}: unknown setting `{key}`", hint=_nearest(key))
    try:
        return reading(value)
    except Unfit as error:
        keys = (key, error.key) if error.key else (key,)
        found = _printed(error.item or error.key or value)
        raise ConfigError(f"{place_of(path, *keys, item=error.item)}: `{key}` {error}, and is {found}") from error


def _nearest(key: str) -> str:
    near = difflib.get_close_matches(key.replace("_", "-").lower(), READINGS, n=1, cutoff=0.5)
    return f"did you mean `{near[0]}`?" if near else f"the settings are {', '.join(READINGS)}"


def _printed(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _located(path: Path, key: str, value: Any) -> Any:
    return os.path.join(path.parent, value) if key in PATHS else value  # noqa: PTH118 - text, as on the command line


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise ConfigError(
            f"cannot read {shown(path)}: {error.strerror}", hint="name a file of settings"
        ) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(f"{shown(path)}:{line}: not valid TOML: it is not UTF-8") from error


def shown(path: Path) -> str:
    """Relative to the current directory where it lies below it."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()
