"""Real commands, stopped before their calls."""

import pytest

from racehound.processes.calls import Point
from racehound.processes.command import Command
from racehound.processes.points import points_of
from racehound.processes.run import crash_after, execute, interleave, observe
from racehound.processes.sandbox import Sandbox

pytestmark = pytest.mark.measured_children

ADD_ONE, ADD_TWO = Command(("sed", "-i", "$a one", "f")), Command(("sed", "-i", "$a two", "f"))


@pytest.fixture
def prepared(each_sandbox: Sandbox) -> Sandbox:
    sandbox = each_sandbox
    (sandbox.work / "f").write_text("base\n")
    sandbox.keep_as_golden()
    return sandbox


def lines(sandbox: Sandbox) -> list[str]:
    return (sandbox.work / "f").read_text().split()


def test_a_command_is_seen_opening_writing_and_renaming(prepared: Sandbox) -> None:
    run = observe(ADD_ONE, prepared, timeout=20)

    assert (run.status, run.signal, run.ended, run.why) == (0, None, True, "")
    assert [call.name for call in run.calls if call.path == "work/f"] == ["open-read", "rename"]
    assert lines(prepared) == ["base", "one"]


def test_an_update_is_lost_when_the_other_command_runs_before_the_rename(prepared: Sandbox) -> None:
    both = interleave(ADD_ONE, ADD_TWO, prepared, Point("rename", "work/f"), timeout=20)

    assert both.reached
    assert (both.first.status, both.second.status) == (0, 0)
    assert not both.second_waited
    assert lines(prepared) == ["base", "one"]
    assert [step.actor for step in both.steps if step.stopped] == ["first"]
    assert str(both.steps[-1].call).endswith("-> work/f")


def test_a_command_dies_after_every_call_that_changes_something(prepared: Sandbox) -> None:
    once = observe(ADD_ONE, prepared, timeout=20).calls
    prepared.restore()
    again = observe(ADD_ONE, prepared, timeout=20).calls
    points = [point for point, call in zip(points_of(once, again), once, strict=True) if call.mutating]
    for point in points:
        prepared.restore()

        run = crash_after(ADD_ONE, prepared, point, timeout=20)

        assert (run.signal, run.ended) == (9, False), point
        assert lines(prepared) == (["base", "one"] if point.call == "rename" else ["base"])


def test_an_unobserved_run_has_no_calls(prepared: Sandbox) -> None:
    run = execute(Command.parse("cat f; echo oops >&2; exit 3"), prepared, timeout=20)

    assert (run.status, run.stdout, run.stderr, run.calls) == (3, b"base\n", b"oops\n", ())
