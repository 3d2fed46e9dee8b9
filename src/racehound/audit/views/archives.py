"""Members of tar and zip archives, and what is in a compressed file.

Both hold the times at which their members were packed, which differ from run to run; what counts is which members
are there, and with which content.
"""

import bz2
import gzip
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO

TAR = b"ustar"
TAR_AT = 257
"""Where in its first header a tar archive says what it is."""
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
"""An archive with members, and an empty one."""
ENCRYPTED = 1
PACKED: dict[bytes, Callable[[BytesIO], gzip.GzipFile | bz2.BZ2File | lzma.LZMAFile]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\0": lzma.LZMAFile,
}
BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError)


def is_tar(data: bytes) -> bool:
    return data.startswith(TAR, TAR_AT)


def tar_entries(data: bytes) -> Iterator[tuple[str, str]]:
    """`member name` with its size and digest; raises ValueError where the archive is broken."""
    with _broken_is_value_error(), tarfile.open(fileobj=BytesIO(data), mode="r:") as archive:
        for member in archive:
            yield f"member {member.name}", _content_of(member, archive)


def zip_entries(data: bytes, *, most: int) -> Iterator[tuple[str, str]]:
    """The same; whether the content fits its checksum is looked at unless it is larger than `most`."""
    with _broken_is_value_error(), zipfile.ZipFile(BytesIO(data)) as archive:
        members = archive.infolist()
        for member in members:
            yield f"member {member.filename}", f"{member.file_size} {member.CRC:08x}"
        if sum(member.file_size for member in members) <= most:
            _check(archive)


def unpacked(data: bytes, *, most: int) -> bytes | None:
    """What a compressed file holds; None for what is not compressed, or holds more than `most`."""
    with _broken_is_value_error():
        for sign, opened in PACKED.items():
            if data.startswith(sign):
                with opened(BytesIO(data)) as file:
                    found = file.read(most + 1)
                return found if len(found) <= most else None
    return None


def _content_of(member: tarfile.TarInfo, archive: tarfile.TarFile) -> str:
    if member.linkname:
        return f"→ {member.linkname}"
    file = archive.extractfile(member)
    return f"{member.size} {sha256(file.read()).hexdigest()[:16]}" if file else ""


def _check(archive: zipfile.ZipFile) -> None:
    if any(member.flag_bits & ENCRYPTED for member in archive.infolist()):
        return
    try:
        broken = archive.testzip()
    except NotImplementedError:  # compressed in a way that cannot be read here
        return
    if broken:
        raise ValueError(f"{broken} in the archive is broken")


@contextmanager
def _broken_is_value_error() -> Iterator[None]:
    try:
        yield
    except BROKEN as error:
        raise ValueError(str(error)) from error
