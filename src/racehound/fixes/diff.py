"""A change as text that `patch -p1` and `git apply` take."""

import difflib

NO_NEWLINE = "\\ No newline at end of file\n"


def unified(path: str, before: str, after: str) -> str:
    """The unified diff between two texts of one file; empty where nothing changed."""
    label = path.replace("\\", "/").lstrip("/").removeprefix("./")
    lines = difflib.unified_diff(_lines(before), _lines(after), f"a/{label}", f"b/{label}")
    return "".join(line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}" for line in lines)


def _lines(text: str) -> list[str]:
    # str.splitlines would also split at form feeds and other separators that are part of a line of source.
    parts = text.split("\n")
    ends = [f"{part}\n" for part in parts[:-1]]
    return [*ends, parts[-1]] if parts[-1] else ends
