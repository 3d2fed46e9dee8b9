"""Sentences that more than one format of an audit says."""

from collections.abc import Iterator

from racehound.model.audit import Audit, CrashPoint, Violation

TASKS = ("A", "B")
LEGEND = "⇒ here the turn passes to the other command; #1 is the first such call of a command on that file"
MEANINGS = (
    "parallel calls break each other",
    "no harm seen, but a call that is kept out gets no help",
    "parallel calls do no harm and get clear answers, but sessions or crashes need work",
    "safe to call in parallel",
)


def headline(audit: Audit) -> str:
    return f"score {audit.score} of 3: {MEANINGS[audit.score]}"


def counts(audit: Audit) -> str:
    parts = [
        _counted(audit.schedules, "schedule"),
        _counted(len(audit.violations), "violation"),
        f"{audit.serial} as one after the other",
        f"{audit.refused} refused",
        f"{audit.waited} waited",
    ]
    return ", ".join(parts)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def crash_summary(audit: Audit) -> str:
    points = audit.crash_points
    if not points:
        return "no crash points were tried"
    stuck = sum(point.stuck for point in points)
    torn = sum(point.state == "torn" for point in points)
    left = sum(bool(point.leftovers) for point in points)
    fine = sum(point.is_fine for point in points)
    return (
        f"{_counted(len(points), 'crash point')}: {fine} fine, {_leave(stuck)} the next call stuck, "
        f"{_leave(torn)} neither the old nor the new state, {_leave(left)} files behind"
    )


def _leave(number: int) -> str:
    return f"{number} leaves" if number == 1 else f"{number} leave"


def crash_line(point: CrashPoint) -> str:
    trouble = [
        "the next call is stuck" if point.stuck else "",
        "neither the old nor the new state" if point.state == "torn" else "",
        f"left behind: {', '.join(point.leftovers)}" if point.leftovers else "",
        point.detail,
    ]
    return f"{point.when}: {'; '.join(filter(None, trouble))}"


def circumstances(audit: Audit) -> Iterator[tuple[str, str]]:
    """How far the answer reaches: what was used, what was not compared, what was not blocked."""
    yield "observed by", audit.backend
    yield "verdict", f"{audit.verdict}: {audit.reason}"
    for name, items in (
        ("masked", audit.masked),
        ("outside", audit.outside),
        ("limits", audit.limits),
        ("notes", audit.notes),
    ):
        for item in items:
            yield name, item


def others(violations: tuple[Violation, ...]) -> list[str]:
    """The violations after the first, a line each."""
    return [f"schedule {item.schedule}: {item.what}, {item.point}" for item in violations[1:]]
