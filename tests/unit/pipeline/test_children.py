import os
import subprocess
import sys
from pathlib import Path

import pytest

from racehound.pipeline.children import CHILDREN, MARK, end_marked, end_session, ended_in_time, scratch_directory
from racehound.pipeline.proofs import each_at_once


def start(code: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", code], text=True, start_new_session=True)


def test_child_that_ends_is_told_from_one_that_does_not() -> None:
    quick, endless = start("pass"), start("import signal; signal.pause()")

    assert ended_in_time(quick, 60)
    assert not ended_in_time(endless, 0.01)
    for child in (quick, endless):
        end_session(child)
    assert ended_in_time(quick, 0)
    assert (quick.returncode, endless.returncode) == (0, -15)


def test_all_children_at_work_can_be_ended() -> None:
    child = start("import signal; signal.pause()")

    with CHILDREN.watching(child):
        CHILDREN.end_all()
    CHILDREN.end_all()

    assert child.wait() == -15


def test_what_carries_the_mark_is_ended_in_whatever_session(tmp_path: Path) -> None:
    """Even right after it was started, when it may show no variables yet."""
    child = subprocess.Popen(["/bin/sleep", "600"], env={MARK: str(tmp_path)}, start_new_session=True)

    end_marked(str(tmp_path))

    assert child.wait() == -9


def test_scratch_of_a_process_that_is_gone_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    gone = start("pass")
    gone.wait()
    orphan, alive = tmp_path / f"racehound-{gone.pid}-x", tmp_path / f"racehound-{os.getpid()}-y"
    foreign, init = tmp_path / "racehound-notes-z", tmp_path / "racehound-1-z"
    for path in (orphan, alive, foreign, init):
        path.mkdir()

    with scratch_directory() as scratch:
        assert scratch.parent == tmp_path
        assert sorted(tmp_path.iterdir()) == sorted([alive, foreign, init, scratch])
    assert not scratch.exists()


def test_scratch_that_another_removes_at_this_moment_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    orphan = tmp_path / "racehound-4711-x"
    orphan.mkdir()

    def is_alive(_: int) -> bool:
        orphan.rmdir()
        return False

    monkeypatch.setattr("racehound.pipeline.children._is_alive", is_alive)

    with scratch_directory() as scratch:
        assert list(tmp_path.iterdir()) == [scratch]


def test_work_is_done_in_order_and_counted() -> None:
    counts: list[int] = []

    assert each_at_once(lambda item: item * 2, [1, 2, 3], counts.append) == (2, 4, 6)
    assert counts == [1, 2, 3]


def test_interrupt_ends_the_children_at_work() -> None:
    children = [start("import signal; signal.pause()") for _ in range(2)]

    def work(child: "subprocess.Popen[str]") -> int:
        with CHILDREN.watching(child):
            if child is children[1]:
                raise KeyboardInterrupt
            return child.wait()

    with pytest.raises(KeyboardInterrupt):
        each_at_once(work, children, lambda _: None)

    assert children[0].wait() == -15
    end_session(children[1])
