"""Where calls cannot be stopped, commands still run, and race by chance."""

from pathlib import Path

import pytest

from racehound.errors import HarnessError
from racehound.processes.backend import choose, unsupported
from racehound.processes.command import Command
from racehound.processes.run import execute, free_race, observe
from racehound.processes.sandbox import Sandbox
from racehound.processes.syscalls import AUDIT_ARCHITECTURE

WAIT_FOR_OTHER = "echo {0} > {0}; until [ -e {1} ]; do :; done; echo {0} >> state"


def test_both_run_at_the_same_time(sandbox: Sandbox) -> None:
    one, two = (Command(("sh", "-c", WAIT_FOR_OTHER.format(*names))) for names in (("a", "b"), ("b", "a")))

    runs = free_race(one, two, sandbox, timeout=30)

    assert [run.status for run in runs] == [0, 0]
    assert sorted((sandbox.work / "state").read_text().split()) == ["a", "b"]


class TestElsewhere:
    @pytest.fixture
    def box(self, base: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
        monkeypatch.setattr("sys.platform", "plan9")
        return Sandbox()

    def test_commands_run_and_race(self, box: Sandbox, base: Path) -> None:
        with box:
            run = execute(Command.parse("echo out; echo err >&2; touch file; exit 3"), box, timeout=30)
            assert (run.status, run.stdout, run.stderr, run.ended) == (3, b"out\n", b"err\n", True)
            assert (box.work / "file").exists()

            one, two = (Command(("sh", "-c", WAIT_FOR_OTHER.format(*names))) for names in (("a", "b"), ("b", "a")))
            assert [run.status for run in free_race(one, two, box, timeout=30)] == [0, 0]
        assert list(base.iterdir()) == []

    def test_a_command_that_never_ends_is_ended_with_its_group(self, box: Sandbox) -> None:
        with box:
            run = execute(Command.parse("sleep 1000 & sleep 1000"), box, timeout=0.2)

        assert (run.status, run.signal, run.ended, run.why) == (None, 9, False, "did not end within 0.2 s")

    def test_nothing_can_be_observed_and_the_reason_is_told(self, box: Sandbox) -> None:
        with box:
            assert choose(box.backends()) is None
            assert all("Linux only" in backend.why_not for backend in box.backends())
            with pytest.raises(HarnessError, match="Linux only"):
                observe(Command(("true",)), box, timeout=30)

    @pytest.mark.parametrize("argv", [("no-such-command",), ("/",)])
    def test_a_command_that_cannot_be_started_is_an_error(self, box: Sandbox, argv: tuple[str, ...]) -> None:
        with box, pytest.raises(HarnessError):
            execute(Command(argv), box, timeout=30)


def test_an_architecture_whose_calls_are_not_known_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")

    assert "riscv64" in unsupported()
    assert all(name in unsupported() for name in AUDIT_ARCHITECTURE)


def test_the_best_backend_that_works_is_chosen(sandbox: Sandbox) -> None:
    found = sandbox.backends()

    assert choose(found) == next(backend for backend in found if backend.works)
    assert choose(()) is None
