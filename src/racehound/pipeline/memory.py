"""Answers of earlier hunts: the same question about files that are as they were has the same answer.

A question is everything that the answer hangs on but the files: paths, rules, settings, the current directory.
With the answer are kept the signatures of all files that were found, and of the directories and ignore files that
decided which ones are found. Where only the time of a file has changed, its content decides. An answer also stands
where the files that changed were not worth parsing before and are not now: nothing in them was looked at. For the
others, what can be learned of them now decides, see `edits`.
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from glob import has_magic
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from racehound.model.finding import Confidence
from racehound.pipeline.cachedir import CacheDirectory
from racehound.pipeline.learned import Earlier, Learned
from racehound.pipeline.results import Result, Unread, plain, result_of
from racehound.pipeline.signatures import (
    Signature,
    Witness,
    are_as_before,
    content_of,
    is_there,
    signature,
    witness,
)
from racehound.source.damage import is_accepted
from racehound.source.discover import Selection, discover
from racehound.source.gitfiles import consulted
from racehound.source.prefilter import base_names, is_worth_parsing

if TYPE_CHECKING:
    from racehound.pipeline.factstore import FactKeeper, Places


class Question(NamedTuple):
    paths: tuple[str, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    confidence: Confidence
    selection: Selection

    def key(self) -> str:
        here = os.getcwd()  # noqa: PTH109 - only text is needed
        parts = [self.paths, self.select, self.ignore, self.confidence, asdict(self.selection), here]
        return blake2b(json.dumps(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class Files(NamedTuple):
    """The files of a question, and what decides that it is these."""

    files: Sequence[Path]
    visited: Sequence[str]
    """Directories that were searched."""
    since: int
    """When that was, in nanoseconds."""


class Memory:
    def __init__(self, directory: str | Path) -> None:
        self._entries = CacheDirectory(directory)
        self._earlier = Earlier()
        self._entry: tuple[str, dict[str, Any], Learned] | None = None
        """What was read last, and under which key: a hunt that finds no answer goes on from there."""

    def recall(self, question: Question) -> Result | None:
        """The answer of an earlier hunt, where nothing that it hangs on has changed."""
        self._entry = None
        try:
            return self._checked(question, *self._read(question))
        except (AttributeError, KeyError, TypeError, ValueError):
            return None  # nothing is there, or it was not written by us

    def _read(self, question: Question) -> "tuple[dict[str, Any], Learned]":
        key = question.key()
        if self._entry is None or self._entry[0] != key:
            entry = self._entries.read(key)
            files = {path: (known, content) for path, (known, content) in entry["files"].items()}
            self._entry = key, entry, Learned(self._entries, key, files)
        return self._entry[1:]

    def _checked(self, question: Question, entry: dict[str, Any], learned: Learned) -> Result | None:
        files: dict[str, Witness] = entry["files"]
        is_sure = entry["places"] is not None and are_as_before(entry["places"])
        if not is_sure and list(map(str, discover(question.paths, question.selection))) != list(files):
            return None
        changed = [path for path, (known, _) in files.items() if known is None or signature(path) != known]
        result = result_of(entry["result"])
        parsed: list[str] = []
        for path in changed:
            content = content_of(path)
            if content != files[path][1]:
                unread = _still_unread(path, result.unread.get(path))
                if content is None or (unread is None and path in result.unread):
                    return None
                if unread is None:
                    parsed.append(path)
                else:
                    result = _with(result, path, unread)
        return learned.answer_after(parsed, result)

    def facts_of(self, question: Question) -> "FactKeeper":
        """What was collected of files that are as they were, and the place for what will be."""
        from racehound.pipeline.factstore import FactKeeper, FactStore  # noqa: PLC0415 - for a new hunt only

        key = question.key()
        try:
            entry, learned = self._read(question)
            self._earlier = learned.earlier()
            unread = result_of(entry["result"]).unread
        except (AttributeError, KeyError, TypeError, ValueError):
            return FactKeeper(self._entries, key, None)  # nothing is there, or it was not written by us
        self._entry = None  # it takes room
        earlier = FactStore(self._entries, key, learned.files, self._earlier.facts, unread)
        return FactKeeper(self._entries, key, earlier)

    def keep(self, question: Question, found: Files, result: Result, facts: "Places") -> None:
        """What changes while it is read is not worth keeping."""
        before = self._earlier.files
        known = {path: witness(path, found.since, before.get(path)) for path in map(str, found.files)}
        if None in known.values():
            return
        is_pattern = any(map(has_magic, question.paths))
        entry = {
            "places": None if is_pattern else list(_places(question.paths, found.visited)),
            "files": known,
            "result": plain(result),
        }
        self._entries.write(question.key(), entry)
        Learned(self._entries, question.key(), {path: item for path, item in known.items() if item}).keep(
            result, facts, self._earlier
        )


def _places(paths: Sequence[str], visited: Sequence[str]) -> Iterator[tuple[str, Signature]]:
    """What decides which files are found.

    An ignore file that is not there cannot come without a change of the directory, which is among them.
    """
    searched = set(visited)
    for place in visited:
        yield place, signature(place)
    for place in consulted(paths, visited):
        if os.path.dirname(place) not in searched or is_there(place):  # noqa: PTH120 - for thousands of files
            yield place, signature(place)


def _still_unread(path: str, before: Unread | None) -> Unread | None:
    """What is known of a changed file that is as little worth parsing as it was; None for others."""
    if before is None:
        return None
    data = Path(path).read_bytes()
    now = Unread(data.count(b"\n"), base_names(data))
    return None if now.bases != before.bases or is_worth_parsing(data) or not is_accepted(data) else now


def _with(result: Result, path: str, unread: Unread) -> Result:
    lines = result.lines - result.unread[path].lines + unread.lines
    return result._replace(lines=lines, unread={**result.unread, path: unread})
