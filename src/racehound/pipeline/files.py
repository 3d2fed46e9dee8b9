"""Source files as they are on disk: their encoding, their line ends, their mode."""

import os
import tokenize
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from secrets import token_hex

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


def write_atomically(path: str | Path, text: str) -> None:
    """Readers see the old file or the new one, never a part; a file that is not there yet is made.

    A device or a pipe is written to: it would be gone if a file took its place.
    """
    target = Path(path).resolve()
    content = text.encode("utf-8", "surrogatepass")
    if target.exists() and not target.is_file() and not target.is_dir():
        _pour(target, content)
    else:
        _replace(target, content)


def _pour(target: Path, content: bytes) -> None:
    try:
        target.write_bytes(content)
    except OSError as error:
        raise _unwritable(target, error) from error


def _unwritable(target: Path, error: OSError) -> UsageError:
    return UsageError(f"cannot write {target}: {error.strerror}", hint="make it writable")


def _replace(target: Path, content: bytes) -> None:
    temporary = target.with_name(f".{target.name}.{token_hex(4)}")
    try:
        # Opened inside: an interrupt may come as soon as the file is there.
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            if target.exists():
                temporary.chmod(target.stat().st_mode & 0o7777)
            temporary.replace(target)
        except FileExistsError:  # a name that belongs to somebody else
            raise
        except BaseException:
            with suppress(FileNotFoundError):
                temporary.unlink()
            raise
    except OSError as error:
        raise _unwritable(target, error) from error
