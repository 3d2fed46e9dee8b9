"""Nested values as dotted keys."""

from collections.abc import Iterator


def flatten(value: object, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Each leaf with the path that leads to it; empty containers are leaves.

    The items of a list are named by their content where that is a plain value: two calls that append to one
    list then differ in what they added, and not in the place where it ended up.
    """
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from flatten(item, f"{prefix}.{key}" if prefix else str(key))
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            nested = isinstance(item, dict | list)
            yield from flatten(item, f"{prefix}[{index}]") if nested else ((f"{prefix}[] {item!r}", ""),)
    else:
        yield prefix, repr(value)
