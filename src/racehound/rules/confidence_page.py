"""What `racehound explain possible` prints: how sure findings are, and every reason why one is weaker."""

from collections.abc import Iterator

from racehound.model.doubt import Doubt
from racehound.model.file_doubts import FileDoubt
from racehound.model.finding import Confidence
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.lock_doubts import LockDoubt
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.task_doubts import TaskDoubt

DOUBTS: dict[str, type[Doubt]] = {
    "Whether two threads meet": MeetingDoubt,
    "Whether it does harm that they meet": HarmDoubt,
    "Whether a lock is waited for in vain, or left held": LockDoubt,
    "Whether tasks meet, or one is lost": TaskDoubt,
    "Whether two processes come to one file, and to harm": FileDoubt,
}
"""By what they are about."""

MEANINGS = {
    Confidence.CERTAIN: "both operations can meet, and nothing in the code speaks against it",
    Confidence.LIKELY: "the code says that they meet or that it hurts, but does not show it",
    Confidence.POSSIBLE: "something in the code speaks against it; shown only with `--confidence possible`",
}


def confidence_page() -> str:
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "# Confidence"
    yield ""
    yield "How sure a finding is. One that is not certain says why, as its doubt: one of the sentences below."
    yield ""
    for confidence, meaning in MEANINGS.items():
        yield f"- `{confidence}`: {meaning}"
    for title, doubts in DOUBTS.items():
        yield from ("", f"## {title}", "")
        yield from (f"- {doubt.reason}" for doubt in doubts)
