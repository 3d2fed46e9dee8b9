"""The state of a sandbox: its folders, and what it has in the places for everybody's temporary files."""

import os
from collections.abc import Iterator
from pathlib import Path

from racehound.audit.views.tree import tree_entries
from racehound.processes.commons import FOLDER, Commons
from racehound.processes.sandbox import Sandbox


def box_entries(box: Sandbox, *, locks: frozenset[str]) -> dict[str, str]:
    folders = sorted(item.name for item in os.scandir(box.root) if item.is_dir() and item.name != FOLDER)
    entries = tree_entries(box.root, folders, locks=locks)
    for place, folder in box.commons.places.items():
        entries |= _common_entries(place, box.root / folder, box.commons, locks)
    return entries


def _common_entries(place: str, folder: Path, commons: Commons, locks: frozenset[str]) -> dict[str, str]:
    """By the names that commands know; what the user has there counts once it was changed."""
    found = list(os.scandir(folder))
    given = frozenset(entry.name for entry in found if _is_given(f"{place}/{entry.name}", entry, commons))
    kept = frozenset(path.removeprefix(f"{place}/") for path in locks if path.startswith(f"{place}/"))
    entries = tree_entries(folder, [""], locks=kept, skipped=given)
    return {f"{place}/{name}": value for name, value in entries.items()} | dict(_removed(place, found, commons))


def _is_given(path: str, entry: "os.DirEntry[str]", commons: Commons) -> bool:
    if path in commons.bound:
        return True
    return path in commons.copied and commons.looks_as_given(path, entry.stat(follow_symlinks=False))


def _removed(place: str, found: "list[os.DirEntry[str]]", commons: Commons) -> Iterator[tuple[str, str]]:
    there = {f"{place}/{entry.name}" for entry in found}
    for path in commons.copied:
        if os.path.dirname(path) == place and path not in there:  # noqa: PTH120 - texts on both sides
            yield f"{path} (removed)", ""
