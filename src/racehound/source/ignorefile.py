"""What `.gitignore`, `.ignore` and lists of exclusions say of a path."""

import re
from dataclasses import dataclass
from pathlib import Path

from racehound.source.globs import translate


@dataclass(frozen=True, slots=True)
class _Block:
    """Consecutive patterns that all exclude, or all take back an exclusion."""

    excludes: bool
    names: "re.Pattern[str] | None"
    """Matched against the last part of a path."""
    paths: "re.Pattern[str] | None"
    """Matched against all of it, below the directory of the file."""
    directory_names: "re.Pattern[str] | None"
    directory_paths: "re.Pattern[str] | None"

    def fits(self, path: str, name: str, *, is_directory: bool) -> bool:
        if _matches(self.names, name) or _matches(self.paths, path):
            return True
        return is_directory and (_matches(self.directory_names, name) or _matches(self.directory_paths, path))


class IgnoreFile:
    """The last pattern that fits decides; patterns with a slash are relative to `base`."""

    __slots__ = ("_blocks", "_start")

    def __init__(self, base: str, lines: "list[str] | tuple[str, ...]") -> None:
        self._start = 0 if base in {"", "."} else len(base.rstrip("/")) + 1
        self._blocks = tuple(reversed(_blocks(lines)))

    @classmethod
    def read(cls, path: str, base: str) -> "IgnoreFile | None":
        """None where there is no such file, or none that can be read."""
        try:
            text = Path(path).read_bytes().decode("utf-8", "replace")
        except OSError:
            return None
        return cls(base, text.removeprefix("\ufeff").splitlines())

    def excludes(self, path: str, name: str, *, is_directory: bool) -> bool | None:
        """True or False where a pattern fits, None where the file says nothing; `path` begins with `base`."""
        below = path[self._start :]
        for block in self._blocks:
            if block.fits(below, name, is_directory=is_directory):
                return block.excludes
        return None


def _matches(pattern: "re.Pattern[str] | None", text: str) -> bool:
    return pattern is not None and pattern.fullmatch(text) is not None


def _blocks(lines: "list[str] | tuple[str, ...]") -> list[_Block]:
    blocks: list[_Block] = []
    open_: list[str] = []
    excludes = True
    for line in filter(None, map(_stripped, lines)):
        negated = line.startswith("!")
        if negated == excludes and open_:
            blocks.append(_block(open_, excludes=excludes))
            open_ = []
        excludes = not negated
        open_.append(line[1:] if negated else line)
    return [*blocks, _block(open_, excludes=excludes)] if open_ else blocks


def _stripped(line: str) -> str:
    """Without trailing spaces, unless the last one is escaped; comments are nothing."""
    text = line.rstrip("\r\n\t ")
    if text.endswith("\\") and line[len(text) : len(text) + 1] == " ":
        text += " "
    return "" if text.startswith("#") or not text.strip("/!") else text


def _block(patterns: list[str], *, excludes: bool) -> _Block:
    sorts: dict[tuple[bool, bool], list[str]] = {}
    for pattern in patterns:
        body = pattern.rstrip("/")
        anchored = "/" in body
        sorts.setdefault((anchored, pattern.endswith("/")), []).append(translate(body.removeprefix("/")))
    compiled = {key: re.compile("|".join(f"(?:{text})" for text in texts)) for key, texts in sorts.items()}
    return _Block(
        excludes,
        compiled.get((False, False)),
        compiled.get((True, False)),
        compiled.get((False, True)),
        compiled.get((True, True)),
    )
