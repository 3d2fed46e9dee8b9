"""From findings to the audit that a report shows."""

from collections.abc import Iterator
from datetime import UTC, datetime

from racehound.audit.advice import advice_of
from racehound.audit.ending import status_of
from racehound.audit.findings import Findings
from racehound.audit.rubric import Evidence, checks_of, flags_of, overwritten, score_of
from racehound.model.audit import Audit, Sample

NETWORK = "the network is not blocked"
CHECK_THE_SETUP = "if they should, let --setup CMD make what they need, or give a --view"
BEST_WHEN_CUT_SHORT = 2
BEST_WHEN_UNJUDGED = 1


def summarised(found: Findings, *, deep: bool) -> Audit:
    tally = found.tally
    seen = _evidence(found)
    checks = checks_of(seen)
    score = score_of(checks)
    if found.cut_short and score > BEST_WHEN_CUT_SHORT:
        score = BEST_WHEN_CUT_SHORT
        found.notes.append("score 3 needs the whole search: raise --budget or --rounds")
    if found.unjudged or found.unstoppable or found.incomparable or found.elsewhere or tally.unconfirmed:
        score = min(score, BEST_WHEN_UNJUDGED)
    verdict, reason = _verdict(found, deep=deep)
    return Audit(
        score=score,
        verdict=verdict,
        reason=reason,
        pairs=tuple(found.pairs),
        schedules=tally.schedules,
        violations=tuple(tally.violations),
        refused=tally.refused,
        serial=tally.serial,
        waited=tally.waited,
        crash_points=tuple(found.crashes or ()),
        checks=checks,
        flags=flags_of(seen),
        advice=advice_of(checks, tally.violations, locked=found.locked),
        masked=tuple(sorted(found.masked)),
        outside=tuple(sorted(found.outside)),
        backend=found.backend,
        limits=tuple(dict.fromkeys((*(found.limits or (NETWORK,)), *sorted(tally.limits)))),
        unstable=tally.unstable,
        notes=tuple(_notes(found)),
        date=datetime.now(UTC).date().isoformat(),
        tool_version=found.tool_version,
        sample=_sample(found),
    )


def _evidence(found: Findings) -> Evidence:
    tally = found.tally
    return Evidence(
        violations=tally.violations,
        schedules=tally.schedules,
        conflicts=tally.refused + tally.waited,
        answers=found.answers,
        crash_points=found.crashes,
        cancellations=found.cancellations,
        isolation=found.isolation,
        append_only=found.append_only,
        failing=found.failing,
        unasked=found.unasked,
        undecided=found.undecided or _untried(found),
        unconfirmed=len(tally.unconfirmed),
    )


def _untried(found: Findings) -> str:
    """Why nothing is known where the search ended before it began."""
    return "no schedule was tried" if found.cut_short and not found.tally.schedules else ""


def _verdict(found: Findings, *, deep: bool) -> tuple[str, str]:
    tally = found.tally
    if broken := _broken(found):
        return "race", broken
    if found.unjudged:
        paths = _some(found.unjudged)
        return "inconclusive", f"both calls would change {paths}, outside the sandbox, where nothing is compared"
    if found.unstoppable:
        paths = _some(found.unstoppable)
        return "inconclusive", f"both calls write {paths} through mapped memory, where nothing can come between"
    if found.incomparable:
        paths = _some(found.incomparable)
        return "inconclusive", f"nothing of {paths} is compared, as it differs between equal runs: give a --view"
    if found.elsewhere:
        return "inconclusive", (
            "what the view prints changes, and no file does: it is kept where calls are not stopped and nothing "
            "is brought back, as in a server"
        )
    if tally.unconfirmed:
        return "inconclusive", (
            f"no serial order leaves what schedule {tally.unconfirmed[0]} left, and there was no time to see it "
            "again: raise --budget"
        )
    if _untried(found):
        return "inconclusive", "; ".join(found.cut_short)
    if found.cut_short or found.undecided:
        return "sampled", "; ".join(found.cut_short) or found.undecided
    switches = "two switches" if deep else "one switch"
    return "bounded", f"{switches} at each call on a file that both commands touch; {tally.schedules} schedules"


def _broken(found: Findings) -> str:
    if found.tally.violations:
        first = found.tally.violations[0]
        return f"{first.what} on schedule {first.schedule}"
    return overwritten(found.isolation)


def _some(paths: set[str]) -> str:
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(sorted(paths)[:3]) + more


def _notes(found: Findings) -> Iterator[str]:
    yield from found.notes
    if found.effective is False:
        yield f"the calls changed nothing that is compared: {CHECK_THE_SETUP}"
    if found.kept_out:
        yield f"the commands were kept from changing {_some(found.kept_out)}, outside their sandbox"
    if found.tally.unstable:
        yield (
            f"{found.tally.unstable} suspicious outcomes did not come again with the same schedule "
            "and are not counted as violations"
        )


def _sample(found: Findings) -> Sample | None:
    """The answer of a call that lost, or that of the last one that was refused."""
    runs = [*(answer.run for answer in found.answers), *(conflict.run for conflict in found.tally.refusals)]
    if not runs or not found.pairs:
        return None
    run = runs[0]
    return Sample(
        command=found.pairs[0].second,
        status=status_of(run),
        stdout=run.stdout.decode(errors="replace"),
        stderr=run.stderr.decode(errors="replace"),
    )
