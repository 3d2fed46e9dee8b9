"""The seven checks and the score, from what was seen.

| score | condition |
|---|---|
| 0 | parallel calls break each other |
| 1 | no harm was seen, but a call that is kept out gets no structured answer, or a lock outlives its holder |
| 2 | structured refusals with an honest hint; locks are released however a call ends |
| 3 | temporary paths belong to one session, files are replaced whole, a waiting call can be cancelled |

What the rubric leaves open is decided so: a tool that waits without limit is right but helps nobody, score 1; one
that only appends shows no conflict because it cannot notice one, score 1; calls that never keep each other out and
share no temporary path have nothing to refuse and need no session.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from racehound.audit.isolation import Isolation
from racehound.audit.refusal import Answer, Cancellation
from racehound.model.audit import Check, CrashPoint, Harm, Violation

ATTRIBUTION = frozenset({Harm.FAILED_BUT_APPLIED})
APPEND_ONLY = "append only"
WAITS = "waits without limit"
CACHE_ONLY = "cache only"
NO_CONFLICT = "no conflict"
FAILS_ALONE = "fails alone"
NO_TIME = "calls kept each other out, and there was no time to see what they are told"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    violations: Sequence[Violation]
    schedules: int
    conflicts: int
    """Schedules in which a call was refused or had to wait."""
    answers: Sequence[Answer]
    crash_points: Sequence[CrashPoint] | None
    """None where crashes could not be tried."""
    cancellations: Sequence[Cancellation]
    isolation: Isolation | None
    append_only: bool
    failing: bool = False
    """Whether a call ends with an error also when nothing runs beside it."""
    unasked: bool = False
    """Whether there was no time to find out what a call is told that is kept out."""
    undecided: str = ""
    """Why some checks could not be decided at all."""
    unconfirmed: int = 0
    """Schedules that broke something once, with no time to see whether they do so again."""


def checks_of(seen: Evidence) -> tuple[Check, ...]:
    return (
        _effects(seen),
        _attribution(seen),
        _refusal(seen),
        _release(seen),
        _hint(seen),
        _isolation(seen),
        _cancellation(seen),
    )


def score_of(checks: Sequence[Check]) -> int:
    passed = {check.id: check.passed for check in checks}
    if not (passed["effects"] and passed["attribution"]):
        return 0
    if not (passed["refusal"] and passed["release"] and passed["retry-hint"]):
        return 1
    return 3 if passed["isolation"] and passed["cancellation"] else 2


def flags_of(seen: Evidence) -> tuple[str, ...]:
    flags = {
        WAITS: any(not answer.gave_up for answer in seen.answers),
        APPEND_ONLY: seen.append_only,
        CACHE_ONLY: bool(seen.violations) and all(violation.cache_only for violation in seen.violations),
        NO_CONFLICT: not (seen.conflicts or seen.violations or overwritten(seen.isolation)),
        FAILS_ALONE: seen.failing,
    }
    return tuple(name for name, holds in flags.items() if holds)


def _effects(seen: Evidence) -> Check:
    title = "no effect is lost, nothing is torn, nothing that was there before is gone"
    guilty = [item for item in seen.violations if item.what not in ATTRIBUTION]
    if not guilty:
        shared = overwritten(seen.isolation)
        return Check(id="effects", title=title, passed=not shared, evidence=shared or _held(seen))
    kinds = {kind: sum(item.what is kind for item in guilty) for kind in Harm}
    counted = ", ".join(f"{number} {kind}" for kind, number in kinds.items() if number)
    return Check(id="effects", title=title, passed=False, evidence=f"{counted}; first: {guilty[0].detail}")


def overwritten(isolation: Isolation | None) -> str:
    """Of results in a shared temporary file one is lost in every order: no schedule is needed for that."""
    if isolation is None or not isolation.overwritten:
        return ""
    paths = ", ".join(isolation.overwritten[:3])
    return f"both calls leave their result in {paths} and take no lock: who ends last overwrites the other's"


def _held(seen: Evidence) -> str:
    if not seen.schedules:
        return seen.undecided or "the calls touch no file in common that one of them changes"
    held = f"held in {seen.schedules - seen.unconfirmed} schedules"
    return f"{held}, not decided in {seen.unconfirmed}" if seen.unconfirmed else held


def _attribution(seen: Evidence) -> Check:
    title = "no call reports failure and is applied all the same"
    guilty = [item for item in seen.violations if item.what in ATTRIBUTION]
    words = guilty[0].detail if guilty else _held(seen)
    return Check(id="attribution", title=title, passed=not guilty, evidence=words)


def _refusal(seen: Evidence) -> Check:
    title = "a call that is kept out waits with a limit, or fails with LOCK_HELD and retry_after_ms"
    passed, words = _refusal_seen(seen)
    return Check(id="refusal", title=title, passed=passed, evidence=words)


def _refusal_seen(seen: Evidence) -> tuple[bool, str]:
    if seen.undecided:
        return False, seen.undecided
    if not seen.conflicts:
        if seen.append_only:
            return (
                False,
                "files are only appended to, without a lock: no conflict was seen, and none would be noticed",
            )
        if seen.violations or overwritten(seen.isolation):
            return False, "nothing keeps the calls apart"
        return True, f"no call was kept out in {seen.schedules} schedules"
    if not seen.answers:
        if seen.unasked:
            return False, NO_TIME
        return False, "calls kept each other out, but the refusal could not be brought about again"
    for answer in seen.answers:
        if not answer.gave_up:
            return False, f"the call waits and did not give up within {answer.patience:g} seconds (--patience)"
        if answer.complaints:
            return False, f"{answer.complaints[0]} ({answer.words})"
    said = f"refused with {seen.answers[0].words}"
    return True, _with_departures(said, [words for answer in seen.answers for words in answer.departures])


def _with_departures(words: str, departures: Iterable[str]) -> str:
    listed = list(dict.fromkeys(departures))
    return f"{words}; unlike the published envelope: {', '.join(listed)}" if listed else words


def _release(seen: Evidence) -> Check:
    title = "the lock is released on exit, SIGTERM, SIGINT and SIGKILL"
    points = seen.crash_points
    if points is None:
        return Check(id="release", title=title, passed=False, evidence=seen.undecided or "crashes were not tried")
    stuck = [point for point in points if point.stuck]
    if stuck:
        words = f"{len(stuck)} of {len(points)} crash points keep the next call out; {stuck[0].detail}"
        return Check(id="release", title=title, passed=False, evidence=f"{words} ({stuck[0].when})")
    return Check(id="release", title=title, passed=True, evidence=f"held at {len(points)} crash points")


def _hint(seen: Evidence) -> Check:
    title = "retry_after_ms is honest"
    hints = [answer for answer in seen.answers if answer.hint_ms is not None]
    if not seen.conflicts and not seen.undecided:
        return Check(id="retry-hint", title=title, passed=not seen.violations, evidence="no call was kept out")
    if not hints:
        return Check(id="retry-hint", title=title, passed=False, evidence="there is no hint")
    liars = [answer for answer in hints if not answer.came_back]
    chosen = (liars or hints)[0]
    how = "fails again" if liars else "succeeds"
    words = f"{chosen.hint_ms} ms after the holder has ended the call {how}"
    return Check(id="retry-hint", title=title, passed=not liars, evidence=words)


def _isolation(seen: Evidence) -> Check:
    title = "temporary paths belong to one session, and files are replaced whole"
    passed, words = _isolation_seen(seen)
    return Check(id="isolation", title=title, passed=passed, evidence=words)


def _isolation_seen(seen: Evidence) -> tuple[bool, str]:
    found, points = seen.isolation, seen.crash_points
    if found is None or points is None:
        return False, seen.undecided or "not tried"
    torn = [point for point in points if point.state == "torn"]
    if torn:
        return False, f"{torn[0].when} leaves neither the old nor the new state"
    left = [point for point in points if point.avoidable]
    if left:
        return False, f"{left[0].when} leaves {', '.join(left[0].leftovers)} behind"
    if found.shared:
        return False, f"both calls use {', '.join(found.shared[:3])}"
    if found.known:
        return True, f"with a session each, {found.count} temporary paths and none in common"
    if seen.conflicts:
        return False, "the tool takes no session id"
    return True, f"{found.count} temporary paths and none in common, and no lock that would need a session"


def _cancellation(seen: Evidence) -> Check:
    title = "a call that waits for a lock can be cancelled"
    wrong = [item for item in seen.cancellations if item.complaints]
    if seen.undecided:
        return Check(id="cancellation", title=title, passed=False, evidence=seen.undecided)
    if wrong:
        words = f"{wrong[0].signal}: {', '.join(wrong[0].complaints)}"
        return Check(id="cancellation", title=title, passed=False, evidence=words)
    if seen.unasked and not seen.cancellations:
        return Check(id="cancellation", title=title, passed=False, evidence=NO_TIME)
    names = " and ".join(item.signal for item in seen.cancellations)
    words = f"{names} end it, and nothing is changed" if names else "no call was seen waiting"
    departures = (words for item in seen.cancellations for words in item.departures)
    return Check(id="cancellation", title=title, passed=True, evidence=_with_departures(words, departures))
