"""The index of a git repository by content.

The file also holds times and inode numbers, which differ from run to run; what counts is which paths are staged
with which content. The format is described in git's documentation under `gitformat-index`.
"""

from collections.abc import Iterator
from struct import unpack_from

SIGNATURE = b"DIRC"
FIXED = 62
"""Bytes of an entry before its name."""
EXTENDED = 0x4000
LONG_NAME = 0xFFF


def index_entries(data: bytes) -> Iterator[tuple[str, str]]:
    """`staged path` with mode, object and stage; raises ValueError where the file is cut off."""
    version, count = unpack_from(">II", data, 4)
    if version not in {2, 3, 4}:
        raise ValueError(f"unknown version {version} of a git index")
    place, name = 12, b""
    for _ in range(count):
        if place + FIXED > len(data):
            raise ValueError("the git index is cut off")
        mode = unpack_from(">I", data, place + 24)[0]
        flags = unpack_from(">H", data, place + 60)[0]
        start = place + FIXED + (2 if flags & EXTENDED else 0)
        name, after = _name(data, start, name, version)
        # Entries of versions 2 and 3 are padded with 1 to 8 NULs to a multiple of eight bytes.
        place = after + 1 if version == 4 else place + ((after - place) // 8 + 1) * 8
        yield f"staged {name.decode(errors='replace')}", f"{mode:o} {data[start - 22 : start - 2].hex()}"


def _name(data: bytes, start: int, before: bytes, version: int) -> tuple[bytes, int]:
    """The name of an entry and where its terminating NUL stands."""
    kept = b""
    if version == 4:
        dropped, start = _variable_width(data, start)
        kept = before[: len(before) - dropped]
    end = data.index(b"\0", start)
    return kept + data[start:end], end


def _variable_width(data: bytes, place: int) -> tuple[int, int]:
    byte = data[place]
    value = byte & 0x7F
    while byte & 0x80:
        place += 1
        byte = data[place]
        value = ((value + 1) << 7) | (byte & 0x7F)
    return value, place + 1
