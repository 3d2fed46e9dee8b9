"""Times that are later than in any serial order.

Waiting takes exactly as long as it should under control, and while one task waits the clock may have moved on for
another. Real waits end late, and nobody promises how late. So an outcome is not held against a program if it
differs from a serial one in times alone, and all of them are off to that side to which lateness moves them. No
lateness explains what is too early: a limiter that lets two pass at once is found by that. And none explains more
than there was: where nobody was kept from going on, a time that has doubled was counted twice.
"""

from racehound.scenario.snapshot import Snapshot

LATENESS = 1 / 1024
"""Seconds; without rounding where clocks are read."""
ROUNDING = 1e-3
"""Of what is worked out with times, as a part of the whole."""
LEAST_OF_NANOSECONDS = 10**9
"""Smaller whole numbers count something else than time."""


def differs_as(seen: Snapshot, exact: Snapshot, late: Snapshot, lag: float) -> bool:
    """Whether what is seen differs from the exact outcome in times alone, and in the direction of the late one.

    `lag` is how much later than need be the tasks went on where it was seen.
    """
    if not (seen.keys() == exact.keys() == late.keys()):
        return False
    changed = [path for path, value in exact.items() if seen[path] != value]
    return all(_is_off_as(seen[path], exact[path], late[path], lag) for path in changed)


def _is_off_as(seen: str, exact: str, late: str, lag: float) -> bool:
    numbers = [_time_in(text) for text in (seen, exact, late)]
    if None in numbers:
        return False
    there, here, later = (number or 0.0 for number in numbers)
    if (there - here) * (later - here) <= 0:
        return False
    return abs(there - here) <= abs(later - here) / LATENESS * lag * (1 + ROUNDING)


def _time_in(text: str) -> float | None:
    """The number that a part of a snapshot shows, if it can be a time or a span of it."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if not text.lstrip("-").isdigit() or abs(number) > LEAST_OF_NANOSECONDS else None
