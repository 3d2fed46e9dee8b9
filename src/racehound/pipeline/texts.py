"""The texts that an answer was found in: what a file said, for when it has changed.

As they are: to make them smaller would take longer than to write them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from racehound.pipeline.cachedir import CacheDirectory
from racehound.pipeline.signatures import digest

Places: TypeAlias = dict[str, list[int]]
"""By path: where the text begins among all of them, and how many bytes it takes."""


def keep_texts(
    entries: CacheDirectory, key: str, paths: Iterable[str], earlier: Mapping[str, Sequence[int]]
) -> Places:
    """`earlier` says where those stand that are kept already; what is read there is checked when it is needed."""
    places: Places = {}
    entries.write_parts(_name(key), _packed(paths, places, _kept(entries, key, earlier)))
    return places


def _kept(entries: CacheDirectory, key: str, earlier: Mapping[str, Sequence[int]]) -> dict[str, bytes]:
    """Packed as they are, unless the file is shorter than it was."""
    before = entries.read_part(_name(key), 0, -1) if earlier else None
    if before is None or len(before) < max(start + size for start, size in earlier.values()):
        return {}
    return {path: before[start : start + size] for path, (start, size) in earlier.items()}


def _packed(paths: Iterable[str], places: Places, kept: Mapping[str, bytes]) -> Iterator[bytes]:
    """One at a time: all of them together are large."""
    end = 0
    for path in paths:
        packed = kept.get(path) or Path(path).read_bytes()
        places[path] = [end, len(packed)]
        end += len(packed)
        yield packed


def kept_text(entries: CacheDirectory, key: str, place: Any, known: str | None) -> bytes | None:
    """A text that was kept, where it is the one with this digest: another hunt may have kept its own."""
    start, size = place
    text = entries.read_part(_name(key), int(start), int(size))
    return text if text is not None and digest(text) == known else None


def _name(key: str) -> str:
    return f"{key}.texts"
