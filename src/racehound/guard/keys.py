"""Dotted keys into nested mappings."""

from __future__ import annotations

from racehound.guard.errors import ConfigInvalid

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Key = str | Sequence[str]
    Config = dict[str, Any]


def parts_of(key: Key) -> list[str]:
    """`"a.b"` and `["a", "b"]` mean the same; the second form can name a key that has a dot."""
    parts = key.split(".") if isinstance(key, str) else list(key)
    if not parts or not all(parts):
        raise ConfigInvalid(
            f"{key!r} is no key: a part of it is empty", suggestion="Write the key as section.name"
        )
    return parts


def get(config: Config, key: Key, default: object) -> object:
    found: object = config
    for part in parts_of(key):
        if not isinstance(found, dict) or part not in found:
            return default
        found = found[part]
    return found


def put(config: Config, key: Key, value: object) -> Config:
    """A copy of the configuration with one value set; what lies beside the key is shared."""
    first, *rest = parts_of(key)
    if not rest:
        return {**config, first: value}
    inner = config.get(first, {})
    if not isinstance(inner, dict):
        raise ConfigInvalid(
            f"Cannot set {key!r}: {first!r} is a value, not a section",
            suggestion=f"Remove {first!r} first, or choose another key",
        )
    return {**config, first: put(inner, rest, value)}


def without(config: Config, key: Key) -> Config:
    """A copy of the configuration without one key."""
    first, *rest = parts_of(key)
    if first not in config:
        return config
    if not rest:
        return {name: value for name, value in config.items() if name != first}
    inner = config[first]
    return {**config, first: without(inner, rest)} if isinstance(inner, dict) else config


def is_same(one: object, other: object) -> bool:
    """Whether a file would tell the two apart: true and 1 and 1.0 are equal in Python only."""
    return _written(one) == _written(other)


def _written(value: object) -> object:
    if isinstance(value, dict):
        return {name: _written(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_written(item) for item in value]
    kind = next((plain for plain in (bool, int, float, str) if isinstance(value, plain)), None)
    return kind, value if value == value else "nan"  # noqa: PLR0124 - the one value that differs from itself
