"""What a finished command said about why it refused to work, if it said so.

Tools that follow the response envelope print it on stdout. Some print only the error object, some
put it on stderr behind a word such as `Error:`; both are understood. Everything else is looked up
among the legacy lock errors.

Exit status 0 says that the command did its work, whatever it printed. And where another answer says `ok`,
the command was several in one, of which the first ones did theirs.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from racehound.guard.runner.legacy import CONCURRENT_MODIFICATION, LOCK_HELD, legacy_error

_RETRYABLE_CODES = frozenset({LOCK_HELD, CONCURRENT_MODIFICATION})
_OPENING_BRACE = re.compile(r"^[ \t]*(?=\{)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The command did nothing because somebody else is at work; it may be run again later."""

    code: str
    retry_after_ms: int | None = None
    source: str


def read_refusal(argv: Sequence[str], exit_status: int, stdout: bytes, stderr: bytes) -> Refusal | None:
    """None where the command worked, failed otherwise, or is not known to be safe to run again."""
    texts = [stdout.decode(errors="replace"), stderr.decode(errors="replace")]
    if exit_status == 0 or any(answer.get("ok") is True for text in texts for answer in _answers(text)):
        return None
    for document in (found for text in texts for found in _json_objects(text)):
        error = _error_of(document)
        if error is not None:
            return _from_envelope(document, error)
    entry = legacy_error(argv, exit_status, texts[1])
    return Refusal(code=entry.code, source=entry.tool) if entry else None


def _from_envelope(document: Mapping[str, object], error: Mapping[str, object]) -> Refusal | None:
    code = error["code"]
    hint = _milliseconds(error.get("retry_after_ms"))
    # One reading of the specification declares every exit status 4 `retryable: false`; a tool that
    # says when to come back all the same means it.
    is_final = error.get("retryable") is False and hint is None
    if code not in _RETRYABLE_CODES or is_final or _is_partial(document):
        return None
    return Refusal(code=str(code), retry_after_ms=hint, source="envelope")


def _is_partial(document: Mapping[str, object]) -> bool:
    meta = document.get("meta")
    return bool(document.get("partial")) or (isinstance(meta, dict) and bool(meta.get("partial")))


def _milliseconds(value: object) -> int | None:
    """A count, also in the words of languages that have one kind of number: 300.0, 3e2."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    is_count = isinstance(value, int) and not isinstance(value, bool)
    return value if is_count and value >= 0 else None  # type: ignore[operator,return-value] # checked above


def _error_of(document: Mapping[str, object]) -> Mapping[str, object] | None:
    error = document.get("error", document)
    is_error = isinstance(error, dict) and isinstance(error.get("code"), str) and not document.get("ok")
    return error if is_error else None  # type: ignore[return-value] # checked above


def _json_objects(text: str) -> Iterator[Mapping[str, object]]:
    """The whole text, what follows its first brace, its last line: the first two that are one object."""
    stripped = text.strip()
    candidates = [stripped[start:]] if (start := stripped.find("{")) >= 0 else []
    candidates += stripped.splitlines()[-1:]
    for candidate in candidates:
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _answers(text: str) -> Iterator[Mapping[str, object]]:
    """Every JSON object that begins a line."""
    decoder = json.JSONDecoder()
    end = 0
    for opening in _OPENING_BRACE.finditer(text):
        if opening.end() < end:
            continue
        try:
            value, end = decoder.raw_decode(text, opening.end())
        except (ValueError, RecursionError):
            continue
        yield value
