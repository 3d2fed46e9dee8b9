"""Where a lock with a bare name lives, and which names may be part of a path."""

from __future__ import annotations

import os

from racehound.guard.errors import LockUnavailable

LONGEST_NAME = 128


def why_unsafe(name: str) -> str:
    """What forbids a name as one component of a path; empty if nothing does."""
    if not name:
        return "it is empty"
    if len(name) > LONGEST_NAME:
        return f"it is longer than {LONGEST_NAME} characters"
    if not name.isascii():
        return "it has characters outside ASCII"
    if name[0] in ".-":
        return f"it begins with {name[0]!r}"
    unsafe = sorted({letter for letter in name if not (letter.isalnum() or letter in "._-+@=")})
    return f"it has the character {unsafe[0]!r}" if unsafe else ""


def lock_directory() -> str:
    """Below the home directory, so that every session of a user, and cron, means the same file."""
    chosen = os.environ.get("RACEHOUND_LOCK_DIR")
    if chosen:
        return os.path.abspath(chosen)
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(state, "racehound", "locks")


def lock_path(name_or_path: str | os.PathLike[str]) -> str:
    """The file of a lock: a bare name lies in the lock directory, anything else is a path."""
    text = os.fspath(name_or_path)
    is_path = not isinstance(name_or_path, str) or os.path.dirname(text) != ""
    if "\0" in text or not text:
        raise ValueError(f"{text!r} is no lock: give a name or a path")
    if is_path:
        return os.path.abspath(text)
    reason = why_unsafe(text)
    if reason:
        raise ValueError(f"{text[:40]!r} is no name of a lock: {reason}; give a plain name or a path")
    directory = lock_directory()
    try:
        os.makedirs(directory, mode=0o700, exist_ok=True)
    except OSError as error:
        raise LockUnavailable(
            f"Cannot make {directory}, where locks with a bare name live: {error.strerror}",
            suggestion="Set RACEHOUND_LOCK_DIR to a writable directory, or give the lock a path",
            detail=f"directory={directory}",
        ) from error
    return os.path.join(directory, f"{text}.lock")
