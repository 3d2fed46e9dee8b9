"""Which reading fits a file: by its name, else by its content."""

import json
import re
import sqlite3
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from racehound.audit.views import archives, git_history, git_index, lines, sqlite_rows
from racehound.audit.views.structured import flatten

Entries = Iterator[tuple[str, str]]

UNREADABLE = "(unreadable)"
CONTENT = "(content)"
"""All that is told of a file in no known format."""
UNORDERED = "(content in any order)"
"""What such a file says where equal runs put it in another order, as tables by hash do."""
NO_TEXT = re.compile(r"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")
"""Signs that only control a terminal, but for those that end lines and begin colours."""
LARGEST = 4_000_000
"""Bytes; larger files are compared by their digest."""


def _json(text: str) -> Entries:
    return flatten(json.loads(text))


def _toml(text: str) -> Entries:
    return flatten(tomllib.loads(text))


def _yaml(text: str) -> Entries:
    try:
        yaml: Any = import_module("yaml")
    except ImportError:
        return lines.yaml_entries(text)
    try:
        return flatten(yaml.safe_load(text))
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


STRICT: dict[str, Callable[[str], Entries]] = {
    ".json": _json,
    ".toml": _toml,
    ".yaml": _yaml,
    ".yml": _yaml,
}
LINEWISE: dict[str, Callable[[str], Entries]] = {
    ".ini": lines.ini_entries,
    ".cfg": lines.ini_entries,
    ".conf": lines.ini_entries,
    ".gitconfig": lines.ini_entries,
    ".npmrc": lines.ini_entries,
    ".env": lines.dotenv_entries,
    ".txt": lines.text_entries,
    ".log": lines.text_entries,
    ".jsonl": lines.text_entries,
    ".ndjson": lines.text_entries,
}


def file_entries(path: Path) -> list[tuple[str, str]]:
    """What the file says, as names with values; a torn file is `(unreadable)` and never an exception."""
    try:
        data = path.read_bytes()
    except OSError as error:
        return [(UNREADABLE, str(error.strerror))]
    try:
        return list(_entries(path, data))
    except (ValueError, IndexError, RecursionError, sqlite3.Error):
        return [(UNREADABLE, sha256(data).hexdigest()[:16])]


def _entries(path: Path, data: bytes) -> Entries:
    if data.startswith(sqlite_rows.SIGNATURE):
        return sqlite_rows.row_entries(path)
    if data.startswith(git_index.SIGNATURE):
        return git_index.index_entries(data)
    if data.startswith(archives.ZIP):
        return archives.zip_entries(data, most=LARGEST)
    inside = archives.unpacked(data, most=LARGEST)
    return _plain_entries(path, data) if inside is None else _plain_entries(path.with_suffix(""), inside)


def _plain_entries(path: Path, data: bytes) -> Entries:
    if archives.is_tar(data):
        return archives.tar_entries(data)
    text = None if len(data) > LARGEST else _decoded(data)
    return _digests(data) if text is None else _read_text(path, text)


def _decoded(data: bytes) -> str | None:
    """Text in UTF-8, else in an encoding of one byte a letter; nothing where there are signs that no text has."""
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
        return None if NO_TEXT.search(text) else text


def _digests(data: bytes) -> Entries:
    yield CONTENT, sha256(data).hexdigest()[:16]
    if len(data) <= LARGEST:
        yield UNORDERED, sha256(repr(sorted(Counter(data).items())).encode()).hexdigest()[:16]


def text_entries(text: str) -> Entries:
    """A text without a name, such as what a view command prints."""
    return _by_content(text) or lines.text_entries(text)


def _read_text(path: Path, text: str) -> Entries:
    found = _in_repository(path, text)
    if found is not None:
        return found
    suffix = path.suffix or path.name
    if read := STRICT.get(suffix):
        # Many tools treat a file without content as an empty document.
        return read(text) if text.strip() else iter([("(empty)", "")])
    if read := LINEWISE.get(suffix):
        return read(text)
    if path.name.startswith(".env"):
        return lines.dotenv_entries(text)
    return text_entries(text)


def _in_repository(path: Path, text: str) -> Entries | None:
    """A file of git that names objects."""
    is_ref, is_stash = git_history.NAME.fullmatch(text.strip()), path.match(str(git_history.STASHES))
    repository = git_history.repository_of(path) if is_ref or is_stash else None
    if repository is None:
        return None
    if is_stash:
        return git_history.stash_entries(repository, text)
    return git_history.ref_entries(repository, text.strip())


def _by_content(text: str) -> Entries | None:
    start = text.lstrip()[:1]
    if start in {"{", "["}:
        try:
            return _json(text)
        except ValueError:
            pass
    heads = [line for line in text.splitlines() if lines.SECTION.match(line.strip())]
    return lines.ini_entries(text) if heads and start == "[" else None
