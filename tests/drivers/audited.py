"""Values of an audit, made by hand, for tests of what is concluded from them."""

from collections.abc import Iterable, Mapping

from racehound.audit.ending import Ending
from racehound.audit.masking import Mask
from racehound.audit.serial import Order, Serial
from racehound.model.audit import (
    Advice,
    Audit,
    Check,
    CrashPoint,
    DrawnCall,
    Harm,
    PairText,
    Sample,
    Violation,
)
from racehound.processes.calls import CHANGING, FileCall
from racehound.processes.outcome import Run

BASE = {"work/c.json": "", "work/c.json: base": "1"}
ONE = {**BASE, "work/c.json: a": "1"}
OTHER = {**BASE, "work/c.json: b": "1"}
BOTH = {**ONE, **OTHER}


def a_run(
    status: int | None = 0,
    *,
    stdout: str = "",
    stderr: str = "",
    calls: Iterable[FileCall] = (),
    ended: bool = True,
) -> Run:
    return Run(
        status=status,
        signal=None,
        stdout=stdout.encode(),
        stderr=stderr.encode(),
        calls=tuple(calls),
        cpu=0.0,
        ended=ended,
        why="" if ended else "did not end within 1 s",
    )


def calls(*texts: str) -> list[FileCall]:
    """From texts such as `open-read work/f` and `rename work/t -> work/f`."""
    seen: dict[tuple[str, str], int] = {}
    made = []
    for text in texts:
        name, _, rest = text.partition(" ")
        old, arrow, new = rest.partition(" -> ")
        path = new if arrow else rest
        seen[name, path] = seen.get((name, path), 0) + 1
        made.append(
            FileCall(
                name=name,
                path=path,
                other_path=old if arrow else "",
                mutating=name in CHANGING,
                occurrence=seen[name, path],
                process=1,
                outside=path.startswith("/"),
            )
        )
    return made


def a_serial(
    *,
    both: Mapping[str, str] = BOTH,
    backward: Mapping[str, str] | None = None,
    first: Iterable[FileCall] = (),
    second: Iterable[FileCall] = (),
    statuses: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), (0, 0)),
    mask: Mask | None = None,
) -> Serial:
    ours, theirs = a_run(calls=first), a_run(calls=second)
    return Serial(
        base=BASE,
        forward=Order(alone=ONE, ending=Ending(*statuses[0], both), first=ours, second=theirs),
        backward=Order(alone=OTHER, ending=Ending(*statuses[1], backward or both), first=ours, second=theirs),
        mask=mask or Mask(),
        again=(ours, theirs),
    )


def a_violation(**changes: object) -> Violation:
    values: dict[str, object] = {
        "schedule": 1,
        "pair": "sibling keys",
        "point": "A before rename work/c.json #1",
        "what": Harm.LOST_UPDATE,
        "detail": "`work/c.json: k2` is gone; both calls report success",
        "lost": ("work/c.json: k2",),
        "token": "rh1-abc",
        "steps": (
            DrawnCall(task=0, call="open-read", path="work/c.json"),
            DrawnCall(task=1, call="rename", path="work/t → work/c.json", switch=True),
            DrawnCall(task=0, call="rename", path="work/u → work/c.json", switch=True),
        ),
    }
    return Violation(**(values | changes))  # type: ignore[arg-type]  # the caller knows the fields


def an_audit(**changes: object) -> Audit:
    values: dict[str, object] = {
        "score": 0,
        "verdict": "race",
        "reason": "lost update on schedule 1",
        "pairs": (
            PairText(name="sibling keys", first="tool set k1 | v", second="tool set k2 v", setup=("tool init",)),
            PairText(name="new keys", first="tool set k1 v", second="tool set k2 v"),
        ),
        "schedules": 3,
        "violations": (a_violation(), a_violation(schedule=2, cache_only=True)),
        "refused": 1,
        "serial": 1,
        "waited": 0,
        "crash_points": (
            CrashPoint(point="write work/c.json #1", signal="SIGKILL", state="old"),
            CrashPoint(
                point="open-exclusive work/c.lock #1",
                signal="SIGKILL",
                state="torn",
                stuck=True,
                leftovers=("work/c.lock",),
                detail="the next call fails with 255: locked",
            ),
        ),
        "checks": (
            Check(id="effects", title="nothing is lost", passed=False, evidence="1 lost update"),
            Check(id="release", title="locks are released", passed=True, evidence="held at 2 crash points"),
        ),
        "flags": ("append only",),
        "advice": (Advice(text="Hold one lock.", places=("tool.py:3: RH405 update",)),),
        "masked": ("work/log: time",),
        "outside": ("/var/elsewhere",),
        "backend": "seccomp user notification",
        "limits": ("the network is not blocked",),
        "date": "2026-01-02",
        "tool_version": "tool 1.2",
        "sample": Sample(command="tool set k2 v", status=4, stdout="{}", stderr="held"),
    }
    return Audit(**(values | changes))  # type: ignore[arg-type]  # the caller knows the fields
