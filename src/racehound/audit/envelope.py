"""Whether a refusal says what a caller needs, and whether it does so in the published response envelope.

What a caller needs is a JSON document with `LOCK_HELD` and `retry_after_ms`, and an exit status that is not 0: the
score asks for no more. The envelope of the command-line agent specification asks for more, which is only told.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

TOP_LEVEL = ("ok", "data", "error", "warnings", "meta")
ALLOWED = frozenset({*TOP_LEVEL, "partial", "signal"})
"""`partial` and `signal` are asked for on cancellation by the same specification whose schema forbids them."""
REFUSALS = {"LOCK_HELD": (4,), "CONCURRENT_MODIFICATION": (6, 4)}
MOST_TRIES = 1000
DECODER = json.JSONDecoder()
STRATEGIES = (None, "immediate", "linear_backoff", "exponential_backoff")


@dataclass(frozen=True, slots=True)
class Envelope:
    """A JSON document that a command printed, as far as it tells about a refusal."""

    document: dict[str, object]
    stream: str

    @property
    def error(self) -> dict[str, object]:
        """What `error` holds; the document itself where that is flat, as in `Error: {"code": "LOCK_HELD"}`."""
        error = self.document.get("error", self.document)
        if isinstance(error, str):
            return self.document | {"code": self.document.get("code", error)}
        return error if isinstance(error, dict) else {}

    @property
    def code(self) -> str:
        return str(self.error.get("code", ""))

    @property
    def retry_after_ms(self) -> int | None:
        value = self.error.get("retry_after_ms")
        return value if isinstance(value, int) and _is_count(value) else None


def find_envelope(stdout: str, stderr: str) -> Envelope | None:
    """The last document on standard output, or failing that on standard error, whatever stands around it."""
    for stream, text in (("standard output", stdout), ("standard error", stderr)):
        for document in reversed(list(_documents(text))):
            if document.get("error") or "code" in document:
                return Envelope(document, stream)
    return None


def _documents(text: str) -> Iterator[dict[str, object]]:
    """Objects that begin somewhere in the text, but none inside another."""
    place = text.find("{")
    for _ in range(MOST_TRIES):
        if place < 0:
            return
        try:
            value, end = DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield value
        place = text.find("{", end)


def demands(envelope: Envelope, status: int | None) -> list[str]:
    """What keeps a caller from knowing that it was kept out by a lock, and when to come back."""
    wrong = []
    if envelope.code not in REFUSALS:
        wrong.append(f"`error.code` is {envelope.code or 'missing'}, not LOCK_HELD")
    if envelope.retry_after_ms is None:
        wrong.append("`error.retry_after_ms` is no whole number of at least 0")
    if envelope.document.get("ok") is True:
        wrong.append("`ok` is not false")
    if status == 0:
        wrong.append(f"the exit status is 0, not {REFUSALS.get(envelope.code, (4,))[0]}")
    return wrong


def complaints(envelope: Envelope, status: int | None) -> list[str]:
    """Where the answer to a call that met a lock is not the published envelope; empty where it conforms."""
    return [*_shape(envelope), *_refusal(envelope, status)]


def _shape(envelope: Envelope) -> Iterator[str]:
    document = envelope.document
    if envelope.stream != "standard output":
        yield f"it is on {envelope.stream}"
    for key in TOP_LEVEL:
        if key not in document:
            yield f"`{key}` is missing"
    for key in document.keys() - ALLOWED:
        yield f"`{key}` is not part of the envelope"
    if document.get("ok") is not False:
        yield "`ok` is not false"
    if document.get("data") is not None:
        yield "`data` is not null"
    warnings = document.get("warnings", [])
    if not isinstance(warnings, list) or not all(isinstance(item, str) for item in warnings):
        yield "`warnings` is no list of texts"
    meta = document.get("meta", {})
    if not isinstance(meta, dict) or not _is_count(meta.get("duration_ms")):
        yield "`meta.duration_ms` is no whole number"


def _refusal(envelope: Envelope, status: int | None) -> Iterator[str]:
    error = envelope.error
    if envelope.code not in REFUSALS:
        yield f"`error.code` is {envelope.code or 'missing'}, not LOCK_HELD"
    elif status not in REFUSALS[envelope.code]:
        yield f"the exit status is {status}, not {REFUSALS[envelope.code][0]}"
    if not isinstance(error.get("message"), str):
        yield "`error.message` is no text"
    if envelope.retry_after_ms is None:
        yield "`error.retry_after_ms` is no whole number of at least 0"
    if error.get("retryable") is not True:
        yield "`error.retryable` is not true"
    if error.get("retry_strategy") not in STRATEGIES:
        yield f"`error.retry_strategy` {error['retry_strategy']!r} is unknown"
    if envelope.code == "LOCK_HELD" and not names_holder(envelope):
        yield "nothing names the process that holds the lock"


def names_holder(envelope: Envelope) -> bool:
    said = json.dumps(envelope.error)
    return bool(re.search(r"pid\W{0,4}\d+", said, re.IGNORECASE))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
