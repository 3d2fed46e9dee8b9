"""What a failing command says: that somebody else is at work, or that it broke down."""

import re

LOCKED = re.compile(
    r"LOCK_HELD|CONCURRENT_MODIFICATION|\block(?:ed|ing|s)?\b|\.lock\b|\.lck\b|LockError|LockTimeout|\bbusy\b"
    r"|another (?:process|instance|\w+ process|\w+ is running)|already running|in use by"
    r"|temporarily unavailable|EAGAIN|EWOULDBLOCK|BlockingIOError|changed during editing|could not obtain",
    re.IGNORECASE,
)
BREAKDOWN = re.compile(
    r"Traceback \(most recent call last\)|^panic: |^thread '.*' (?:\(\d+\) )?panicked at|Segmentation fault"
    r"|core dumped|^\s+at .+ \(.+:\d+:\d+\)$|Exception in thread|fatal error: |Unhandled (?:exception|rejection)"
    r"|JSONDecodeError|EJSONPARSE|Unexpected end of JSON|malformed|corrupt",
    re.MULTILINE | re.IGNORECASE,
)
PANIC = re.compile(r"thread '.*' (?:\(\d+\) )?panicked at ")
TROUBLE = re.compile(
    r"\b(?:error|fatal|fail(?:ed|ure|s)?|cannot|can't|could not|unable|denied|refused|locked|exists)\b",
    re.IGNORECASE,
)
NAMED_ERROR = re.compile(r"(?:Uncaught )?[\w.]*(?:Error|Exception)\b.*: ")


def speaks_of_a_lock(text: str) -> bool:
    return LOCKED.search(text) is not None


def is_breakdown(text: str, status: int | None) -> bool:
    """A traceback, a panic, an unreadable file or a deadly signal: nothing that a tool says on purpose."""
    if status is not None and status < 0:
        return True
    return BREAKDOWN.search(text) is not None and not speaks_of_a_lock(_last_lines(text))


def _last_lines(text: str) -> str:
    """Where a traceback names the error; the lines above quote source, which may well mention locks."""
    return "\n".join([line for line in text.splitlines() if line.strip()][-2:])


def first_line(text: str, *, length: int = 160) -> str:
    """The line that says most: where a breakdown names its error, else the first that speaks of trouble."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return ""
    trouble = (line for line in lines if TROUBLE.search(line))
    chosen = _error(lines) if BREAKDOWN.search(text) else next(trouble, lines[0])
    return chosen if len(chosen) <= length else f"{chosen[: length - 1]}…"


def _error(lines: list[str]) -> str:
    """Python says it last, others before the stack, and a panic below the place."""
    if any(line.startswith("Traceback (") for line in lines):
        return lines[-1]
    panic = next((place for place, line in enumerate(lines) if PANIC.match(line)), len(lines))
    if panic + 1 < len(lines):
        return lines[panic + 1]
    return next((line for line in lines if NAMED_ERROR.match(line)), lines[0])
