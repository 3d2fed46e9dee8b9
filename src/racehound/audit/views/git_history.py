"""What the refs of a git repository lead to.

The name of a commit is new each time, as its date is part of it; what counts is the content it leads to and its
message. Objects that lie in packs are older than the commands that are raced, and count by their names.
"""

import re
import zlib
from collections.abc import Iterator
from pathlib import Path

Entries = Iterator[tuple[str, str]]

NAME = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
MENTIONED = re.compile(r"\b[0-9a-f]{7,64}\b")
"""Stashes and merges mention other commits in their messages."""
STASHES = Path("logs/refs/stash")
"""The one log of refs that is state: all stashes but the newest are nowhere else."""
MOST = 200
"""Commits of one ref; those further back were there before the race."""


def is_repository(folder: Path) -> bool:
    return (folder / "HEAD").is_file() and (folder / "refs").is_dir()


def repository_of(path: Path) -> Path | None:
    """The nearest directory above that is a repository."""
    return next((folder for folder in path.parents if is_repository(folder)), None)


def ref_entries(repository: Path, name: str) -> Entries:
    """Every commit and tag that the object leads to, by its message, with the content it stands for."""
    waiting, seen = [name], {name}
    while waiting and len(seen) < MOST:
        current = waiting.pop(0)
        kind, head, message = _read(repository, current)
        if kind == "commit":
            yield f"commit '{message}'", head["tree"][0]
        elif kind == "tag":
            yield f"tag '{message}'", head["tag"][0]
        else:
            yield f"object {current}", ""
        further = [item for item in (*head.get("parent", ()), *head.get("object", ())) if item not in seen]
        seen.update(further)
        waiting += further


def stash_entries(repository: Path, log: str) -> Entries:
    """The stashes, the oldest first."""
    for line in log.splitlines():
        names, _, message = line.partition("\t")
        _, head, _ = _read(repository, names.split()[1])
        yield f"stash '{MENTIONED.sub('*', message)}'", "".join(head.get("tree", ()))


def _read(repository: Path, name: str) -> tuple[str, dict[str, list[str]], str]:
    """Kind, head lines and first line of the message; no kind for what is not there as a file of its own."""
    try:
        data = zlib.decompress((repository / "objects" / name[:2] / name[2:]).read_bytes())
    except (OSError, zlib.error):
        return "", {}, ""
    kind, _, content = data.partition(b"\0")
    if not kind.startswith((b"commit ", b"tag ")):
        return "", {}, ""
    head, _, message = content.decode(errors="replace").partition("\n\n")
    lines: dict[str, list[str]] = {}
    for line in head.splitlines():
        key, _, value = line.partition(" ")
        lines.setdefault(key, []).append(value)
    return kind.decode().partition(" ")[0], lines, MENTIONED.sub("*", message.partition("\n")[0])
