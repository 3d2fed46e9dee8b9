"""The places for everybody's temporary files, of which each sandbox has its own.

Tools have such names built in, `/tmp/tool.lock` say, so what they do there is part of the state: commands meet
there as anywhere else, it is brought back between runs, and nobody else sees anything of it. What the user has
there stays visible, since the tool itself may be among it: directories as they are and read-only, files as copies,
so that a lock file of an earlier call can be locked. Where there is very much, what was used last comes along, and
what is named by the commands or by the variables that they are given.
"""

import os
import re
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

PLACES = {"/tmp": "tmp", "/var/tmp": "var-tmp", "/run/lock": "run-lock", "/dev/shm": "dev-shm"}  # noqa: S108 - see above
FOLDER = "commons"
"""In the sandbox; below it is one folder for each place."""
MOST = 32
"""Making one of them visible takes up to a millisecond."""
LARGE = 1 << 20


Looks = tuple[int, int, int]
"""Kind and mode, size, time of the last change."""


class Commons(NamedTuple):
    """What a sandbox has instead. A tuple of values, as it crosses to the keeper."""

    places: dict[str, str]
    """Where each is kept, relative to the sandbox."""
    bound: frozenset[str] = frozenset()
    """What the user has there and is shown as it is."""
    copied: dict[str, Looks] = {}  # noqa: RUF012 - a default of a tuple is never changed
    """What is there as a copy, and how it looked."""

    @property
    def mounted_on(self) -> frozenset[str]:
        """Where in the sandbox something of the user's is shown."""
        split = (os.path.split(path) for path in self.bound)
        return frozenset(f"{self.places[place]}/{name}" for place, name in split)

    def looks_as_given(self, path: str, found: os.stat_result) -> bool:
        return self.copied.get(path) == _looks(found)


NONE = Commons({})


def furnish(root: Path, needed: Iterable[str], *, kept: Iterable[str] = ()) -> Commons:
    """Makes the folders, and in them a copy of each file and an empty place for all that is to be shown as it is.

    `needed` are texts that name what has to be there; places in `kept` stay everybody's.
    """
    places = [place for place in PLACES if _is_there(place) and not _is_in(place, kept)]
    texts = [*needed, *_spoken(needed), *os.environ.values(), sys.prefix, sys.base_prefix, str(root), *sys.path]
    bound: list[str] = []
    copied: dict[str, Looks] = {}
    for place in places:
        folder = root / FOLDER / PLACES[place]
        folder.mkdir(parents=True)
        folder.chmod(stat.S_IMODE(Path(place).stat().st_mode) | stat.S_IRWXU)
        for entry in _chosen(place, texts):
            looks = _placed(entry, folder / entry.name)
            if looks is None:
                bound.append(entry.path)
            else:
                copied[entry.path] = looks
    return Commons({place: f"{FOLDER}/{PLACES[place]}" for place in places}, frozenset(bound), copied)


def _is_there(place: str) -> bool:
    """Under this name, and no link to another place."""
    return Path(place).is_dir() and os.path.realpath(place) == place


def _is_in(place: str, kept: Iterable[str]) -> bool:
    return any(f"{place}/".startswith(f"{other.rstrip('/')}/") for other in kept)


def _spoken(texts: Iterable[str]) -> Iterator[str]:
    """What the scripts say that the texts name."""
    for word in {word for text in texts for word in text.split()}:
        path = Path(word if "/" in word else shutil.which(word) or word)
        if path.is_file() and path.stat().st_size <= LARGE and os.access(path, os.R_OK):
            yield path.read_text(encoding="latin-1")


def _chosen(place: str, texts: Iterable[str]) -> "list[os.DirEntry[str]]":
    entries = list(os.scandir(place))
    if len(entries) <= MOST:
        return entries
    named = set(_named(place, texts))
    entries.sort(key=lambda entry: (entry.name in named, _changed(entry)), reverse=True)
    return entries[: max(MOST, sum(entry.name in named for entry in entries))]


def _named(place: str, texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        for part in (text, os.path.realpath(text)) if text.startswith("/") else (text,):
            yield from re.findall(rf"{re.escape(place)}/+([^/\s:;\"'`$()<>|&]+)", part)


def _changed(entry: "os.DirEntry[str]") -> int:
    try:
        return entry.stat(follow_symlinks=False).st_mtime_ns
    except OSError:  # gone by now
        return 0


def _placed(entry: "os.DirEntry[str]", target: Path) -> Looks | None:
    """How the copy looks; None where the entry is to be shown as it is, or has gone."""
    try:
        found = entry.stat(follow_symlinks=False)
        small = stat.S_ISREG(found.st_mode) and found.st_size <= LARGE
        if small or stat.S_ISLNK(found.st_mode):
            shutil.copy2(entry.path, target, follow_symlinks=False)
            return _looks(target.lstat())
    except OSError:  # not to be read by us, or gone by now
        target.unlink(missing_ok=True)
    if entry.is_dir(follow_symlinks=False):
        target.mkdir()
    else:
        target.touch()
    return None


def _looks(found: os.stat_result) -> Looks:
    return (found.st_mode, found.st_size, found.st_mtime_ns)
