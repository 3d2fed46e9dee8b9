"""Schedules of which only the point is looked at come to the same, or are not carried out at all."""

import pytest

from drivers.tools import ADD_UNDER_FLOCK, python
from racehound.processes.calls import KINDS, Point, detail_of
from racehound.processes.command import Command
from racehound.processes.plan import Patience
from racehound.processes.run import glance
from racehound.processes.sandbox import Sandbox
from racehound.processes.syscalls import AUDIT_ARCHITECTURE, by_number, traps

SEVERAL = {
    "open": {kind for kind in KINDS if kind.startswith("open-")},
    "unlink": {"unlink", "rmdir"},
    "flock": {"flock", "flock-unlock"},
    "fcntl-lock": {"fcntl-lock", "fcntl-unlock"},
}
"""What system calls are reported as, where their arguments decide."""
WRITES = Point("open-truncate", "work/state")
WRITE = Command.parse("echo one > state")
PATIENCE = Patience(30.0)


@pytest.mark.parametrize("machine", AUDIT_ARCHITECTURE)
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_whatever_may_be_the_point_is_looked_at(machine: str, kind: str) -> None:
    reported = {
        number
        for number, call in by_number(machine).items()
        if kind in SEVERAL.get(call.kind, {call.kind}) or call.kind in {"unseen", "mmap"}
    }

    assert reported <= traps(machine, detail_of(kind), only=frozenset({kind})).keys()


@pytest.mark.measured_children
def test_an_update_is_lost_though_nothing_but_the_point_is_looked_at(each_sandbox: Sandbox) -> None:
    file = each_sandbox.work / "f"
    file.write_text("base\n")
    first, second = (Command(("sed", "-i", f"$a {word}", "f")) for word in ("one", "two"))

    both = glance(first, second, each_sandbox, Point("rename", "work/f"), patience=PATIENCE)

    assert both is not None
    assert (both.reached, both.first.status, both.second.status) == (True, 0, 0)
    assert file.read_text().split() == ["base", "one"]


@pytest.mark.slow
@pytest.mark.measured_children
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (python(ADD_UNDER_FLOCK, "one"), python(ADD_UNDER_FLOCK, "two")),
        (Command.parse("(while :; do :; done) & echo one > state"), WRITE),
        (WRITE, Command.parse("setsid sleep 600 > /dev/null 2>&1 & echo two > state")),
    ],
    ids=["the second waits", "the first goes on beside the point", "the second leaves something behind"],
)
def test_what_a_glance_is_not_enough_for_is_given_up(sandbox: Sandbox, first: Command, second: Command) -> None:
    (sandbox.work / "state").write_text("base\n")

    assert glance(first, second, sandbox, WRITES, patience=PATIENCE) is None
