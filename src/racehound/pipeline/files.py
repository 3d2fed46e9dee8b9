"""Source files as they are on disk: their encoding, their line ends, their mode."""

import os
import tempfile
import tokenize
from contextlib import suppress
from io import BytesIO
from pathlib import Path

from racehound.errors import UsageError


def read_source(path: str | Path) -> str:
    """The text of a Python file with its own line ends."""
    raw = Path(path).read_bytes()
    return raw.decode(_encoding(raw))


def write_source(path: str | Path, *, before: str, after: str) -> None:
    """Replace the file in one step; a file that is not as it was read is left alone."""
    target = Path(path).resolve()
    raw = target.read_bytes()
    encoding = _encoding(raw)
    if raw.decode(encoding) != before:
        raise UsageError(f"{path} has changed since it was read", hint="run the command again")
    _replace(target, after.encode(encoding))


def _encoding(raw: bytes) -> str:
    return tokenize.detect_encoding(BytesIO(raw).readline)[0]


def _replace(target: Path, content: bytes) -> None:
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as temporary:
                temporary.write(content)
            Path(name).chmod(target.stat().st_mode & 0o7777)
            Path(name).replace(target)
        except BaseException:
            with suppress(FileNotFoundError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise UsageError(f"cannot write {target}: {error.strerror}", hint="make it writable") from error
