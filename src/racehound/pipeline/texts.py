"""The texts that an answer was found in: what a file said, for when it has changed."""

import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from racehound.pipeline.cachedir import CacheDirectory
from racehound.pipeline.signatures import digest

Places: TypeAlias = dict[str, list[int]]
"""By path: where the text begins among all of them, and how many bytes it takes."""

_LEVEL = 1
"""Of compression: a better one takes five times as long and saves a fifth."""


def keep_texts(entries: CacheDirectory, key: str, paths: Iterable[str]) -> Places:
    places: Places = {}
    entries.write_parts(_name(key), _packed(paths, places))
    return places


def _packed(paths: Iterable[str], places: Places) -> Iterator[bytes]:
    """One at a time: all of them together are large."""
    end = 0
    for path in paths:
        packed = zlib.compress(Path(path).read_bytes(), _LEVEL)
        places[path] = [end, len(packed)]
        end += len(packed)
        yield packed


def kept_text(entries: CacheDirectory, key: str, place: Any, known: str | None) -> bytes | None:
    """A text that was kept, where it is the one with this digest: another hunt may have kept its own."""
    start, size = place
    packed = entries.read_part(_name(key), int(start), int(size))
    try:
        text = None if packed is None else zlib.decompress(packed)
    except zlib.error:
        return None
    return text if text is not None and digest(text) == known else None


def _name(key: str) -> str:
    return f"{key}.texts"
