"""What else is kept of a hunt, and looked at only where a file has changed that was parsed."""

# ruff: noqa: PLC0415 - the comparison is loaded only where there is something to compare

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from racehound.pipeline.cachedir import CacheDirectory
from racehound.pipeline.results import Result
from racehound.pipeline.signatures import Witness, digest
from racehound.pipeline.texts import keep_texts, kept_text

_FEW = 8
"""Changed files that are compared one by one; with more of them a new hunt is worth it."""
_NO: Witness = (None, None)


class Earlier(NamedTuple):
    """What an earlier hunt kept: it spares the work for files that are as they were."""

    files: Mapping[str, Witness] = {}
    texts: Mapping[str, Sequence[int]] = {}
    facts: Mapping[str, Any] = {}


class Learned:
    """The old texts, and the names that modules have asked each other for."""

    def __init__(self, entries: CacheDirectory, key: str, files: Mapping[str, Witness]) -> None:
        self._entries = entries
        self._key = key
        self.files = files
        self._known: Any = None

    def keep(self, result: Result, facts: Mapping[str, Any], earlier: Earlier) -> None:
        asked: dict[str, list[str]] = {}
        for path, name in sorted(result.asked):
            asked.setdefault(path, []).append(name)
        parsed = [path for path in self.files if path not in result.unread]
        same = (path for path, (_, content) in self.files.items() if earlier.files.get(path, _NO)[1] == content)
        kept = {path: earlier.texts[path] for path in same if path in earlier.texts}
        texts = keep_texts(self._entries, self._key, parsed, kept)
        known = {"state": self._state(), "asked": asked, "texts": texts, "facts": facts}
        self._entries.write(f"{self._key}.learned", known)

    def _read(self) -> Any:
        if self._known is None:
            self._known = self._entries.read(f"{self._key}.learned")
        return self._known

    def earlier(self) -> Earlier:
        """Raises one of the usual errors where what was kept is not what we keep."""
        known = self._read()
        if known["state"] != self._state():
            return Earlier(self.files)
        texts = {path: (int(start), int(size)) for path, (start, size) in known["texts"].items()}
        return Earlier(self.files, texts, known["facts"])

    def answer_after(self, changed: Iterable[str], result: Result) -> Result | None:
        """The answer, where what was learned of the changed files is what can be learned of them now."""
        paths = list(changed)
        known = self._read() if paths and len(paths) <= _FEW else None
        if known is None or known["state"] != self._state():
            return None if paths else result
        answer: Result | None = result
        for path in paths:
            answer = answer and self._after_one(path, known, answer)
        return answer

    def _after_one(self, path: str, known: Any, result: Result) -> Result | None:
        from racehound.pipeline.edits import Edit, answer_after
        from racehound.source.module import display_path

        before = kept_text(self._entries, self._key, known["texts"][path], self.files[path][1])
        if before is None:
            return None
        name = display_path(Path(path))
        edit = Edit(name, before, Path(path).read_bytes())
        return answer_after(edit, result, frozenset(known["asked"].get(name, ())))

    def _state(self) -> str:
        """Of all files: what was learned belongs to this answer and to no other."""
        return digest(json.dumps(sorted((path, content) for path, (_, content) in self.files.items())).encode())
