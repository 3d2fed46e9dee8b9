"""Patterns for paths, as `.gitignore` has them: `*` stays within a name, `**` goes over directories."""

import re
from functools import lru_cache

_BETWEEN = "(?:[^/]+/)*"
_CHOICE = re.compile(r"(?<!\\)\{([^{}]*)\}")
_GLUED = re.compile(r"(^|/)\*\*(?=[^/*])")


def spelled_out(pattern: str, root: str) -> list[str]:
    """What a pattern in settings means in those of `.gitignore`; people bring them along from other tools.

    `{a,b}` are two patterns, the stars of `src/**.py` go over directories, and a path below the root is one there.
    """
    relative = pattern.removeprefix(root.rstrip("/")) if pattern.startswith(f"{root.rstrip('/')}/") else pattern
    choice = _CHOICE.search(relative)
    if choice is None:
        return [_GLUED.sub(r"\1**/*", relative.removeprefix("./"))]
    ends = relative[: choice.start()], relative[choice.end() :]
    return [found for part in choice[1].split(",") for found in spelled_out(part.join(ends), root)]


@lru_cache(maxsize=4096)
def translate(pattern: str) -> str:
    """A regular expression, to be matched against the whole of a name or of a path with forward slashes."""
    parts: list[str] = []
    index = 0
    while index < len(pattern):
        text, index = _next(pattern, index)
        parts.append(text)
    return "".join(parts)


def _next(pattern: str, index: int) -> tuple[str, int]:
    """One element of the pattern as an expression, and where the next one begins."""
    letter = pattern[index]
    if letter == "*":
        return _stars(pattern, index)
    if letter == "?":
        return "[^/]", index + 1
    if letter == "[":
        return _set(pattern, index)
    if letter == "\\" and index + 1 < len(pattern):
        return re.escape(pattern[index + 1]), index + 2
    return re.escape(letter), index + 1


def _stars(pattern: str, index: int) -> tuple[str, int]:
    end = index
    while end < len(pattern) and pattern[end] == "*":
        end += 1
    whole = (index == 0 or pattern[index - 1] == "/") and (end == len(pattern) or pattern[end] == "/")
    if end - index < 2 or not whole:
        return "[^/]*", end
    return (".*", end) if end == len(pattern) else (_BETWEEN, end + 1)


def _set(pattern: str, index: int) -> tuple[str, int]:
    """`[a-z]` or `[!a-z]`; a bracket that nothing closes stands for itself."""
    start = index + 2 if pattern[index + 1 : index + 2] in {"!", "^"} else index + 1
    end = pattern.find("]", start + 1)
    if end < 0:
        return r"\[", index + 1
    body = pattern[start:end].replace("\\", r"\\").replace("[", r"\[").replace("&&", r"\&&").replace("~~", r"\~~")
    body = body.replace("||", r"\||").replace("--", r"\--").replace("^", r"\^")
    text = f"(?!/)[{'^' if start == index + 2 else ''}{body}]"
    return (text, end + 1) if _is_valid(text) else (r"\[", index + 1)


def _is_valid(text: str) -> bool:
    """False for a range that runs backwards."""
    try:
        re.compile(text)
    except re.error:
        return False
    return True
