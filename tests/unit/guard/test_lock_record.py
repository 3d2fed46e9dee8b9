"""The record in a lock file informs; nothing depends on it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.lock_processes import PLAIN_FLOCK, child, said
from racehound.guard import Lock, LockHeld, record
from racehound.guard.explain import LONGEST_HINT_MS, lock_held, retry_after_ms
from racehound.guard.holder import UNKNOWN, Holder, parse
from racehound.guard.identity import boot_id, host_name, is_running, own_start_time, start_time

if TYPE_CHECKING:
    from pathlib import Path

NOWHERE = (0, 0)


def test_record_tells_who_holds_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    before = time.time()
    with Lock(path, session="agent-7"):
        holder = parse(path.read_bytes())

    assert holder.pid == os.getpid()
    assert holder.start == start_time(os.getpid())
    assert holder.boot == boot_id()
    assert holder.host == host_name()
    assert holder.session == "agent-7"
    assert holder.argv.startswith(sys.argv[0])
    assert holder.since is not None
    assert abs(holder.since - before) < 5
    assert holder.may_be_alive
    assert not holder.is_known_dead


def test_record_of_a_released_lock_names_nobody_and_keeps_the_hold_time(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with Lock(path):
        pass

    assert parse(path.read_bytes()) == UNKNOWN
    assert 0 < record.hold_us(path.read_bytes()) < 1_000_000


@pytest.mark.parametrize("offset", [b"nan", b"inf", b"1e999"])
def test_record_with_a_nonsensical_time_names_nobody(tmp_path: Path, offset: bytes) -> None:
    path = tmp_path / "x.lock"
    with Lock(path):
        path.write_bytes(
            record.header(0, 0) + b"pid=%d\nclock_offset=%b\nsince_ns=5\nend\n" % (os.getpid(), offset)
        )
        assert parse(path.read_bytes()) == UNKNOWN


def test_record_has_at_most_512_bytes_whatever_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["tool\n\0end\n", "ü" * 3000])
    path = tmp_path / "x.lock"
    with Lock(path, session="s"):
        data = path.read_bytes()

    assert len(data) <= record.SIZE
    assert parse(data).pid == os.getpid()
    assert parse(data).argv.startswith(r"tool\n\x00end\n")


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=600))
def test_any_bytes_are_a_record_of_nobody_or_somebody(data: bytes) -> None:
    parse(data)
    record.turn_ends_ns(data)
    lock_held("x", data, NOWHERE, waited_ms=0).envelope()


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_torn_record_does_no_harm(data: st.DataObject) -> None:
    one = record.header(5, 1) + record.holder_part(record.process_part("a"), 0, 10)
    other = record.header(70000, 90) + record.holder_part(record.process_part("bb"), 7, 12345678)
    cut = data.draw(st.integers(0, len(one)))
    back = data.draw(st.integers(0, len(other)))

    lock_held("x", one[:cut] + other[back:], NOWHERE, waited_ms=0).envelope()


@pytest.mark.parametrize("damage", [b"", b"racehound lock 1 hold_us=xx", b"racehound lock 1 " + b"?" * 500])
def test_damaged_lock_file_still_locks(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "x.lock"
    path.write_bytes(damage)
    with Lock(path, timeout=0):
        assert parse(path.read_bytes()).pid == os.getpid()
    with Lock(path, timeout=0):
        pass


def test_file_with_other_content_is_locked_but_never_written(tmp_path: Path) -> None:
    path = tmp_path / "precious.json"
    path.write_text('{"a": 1}')
    with Lock(path):
        code = "import sys; from racehound.guard import Lock; Lock(sys.argv[1], timeout=0).acquire()"
        refused = subprocess.run(
            [sys.executable, "-c", code, path], capture_output=True, text=True, check=False, timeout=50
        )

    assert "left no record" in refused.stderr
    assert path.read_text() == '{"a": 1}'


def test_holder_without_a_record_is_named_by_the_system(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with child(PLAIN_FLOCK, path) as other:
        assert said(other) == ["ready"]
        with pytest.raises(LockHeld, match=rf"left no record; the system names PID {other.pid} \(.*python"):
            Lock(path, timeout=0).acquire()
        with pytest.raises(LockHeld, match=f"PID {other.pid}"):
            asyncio.run(Lock(path, timeout=0).acquire_async())


def test_record_of_an_earlier_boot_does_not_hide_the_new_holder(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    path.write_bytes(record.header(1234, 10**19))
    with Lock(path):
        assert parse(path.read_bytes()).pid == os.getpid()
        assert record.hold_us(path.read_bytes()) == 1234


def test_average_hold_time_follows_slowly() -> None:
    first = record.released(record.header(0, 0), 0, 4_000_000)
    assert record.hold_us(first) == 4000
    second = record.released(first, 0, 8_000_000)
    assert record.hold_us(second) == 5000
    forever = record.released(record.header(0, 0), 0, 10**18)
    assert record.hold_us(forever) == 10**12 - 1
    assert len(forever) == record.HEADER_SIZE


@pytest.mark.parametrize(
    ("average_ms", "age_ms", "chance", "hint"),
    [
        (0, 0, 0.0, 50),
        (5000, 2000, 0.0, 3000),
        (5000, 2000, 1.0, 4500),
        (1000, 30_000, 0.0, 15_000),
        (0, 400, 0.0, 200),
        (10**8, 0, 0.0, LONGEST_HINT_MS),
    ],
)
def test_hint_expects_the_usual_time_and_else_half_the_age(
    average_ms: int, age_ms: int, chance: float, hint: int
) -> None:
    assert retry_after_ms(average_ms * 1000, age_ms, chance) == hint


def test_hint_comes_from_past_hold_times(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    now = time.monotonic_ns()
    path.write_bytes(
        record.header(20_000_000, 0) + record.holder_part(record.process_part(""), 0, now - 5_000_000_000)
    )
    held = lock_held(str(path), path.read_bytes(), NOWHERE, waited_ms=7)

    assert 14_900 <= held.retry_after_ms <= 22_500
    assert held.holder.age_ms == pytest.approx(5000, abs=500)
    assert held.duration_ms == 7


def test_hints_differ_so_that_the_refused_do_not_come_back_together() -> None:
    data = record.header(60_000_000, 0) + record.holder_part(record.process_part(""), 0, time.monotonic_ns())

    assert len({lock_held("x", data, NOWHERE, waited_ms=0).retry_after_ms for _ in range(20)}) > 10


def dead_process() -> tuple[int, str]:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    started = start_time(process.pid)
    process.communicate(b"\n")
    return process.pid, started


def test_process_is_known_by_number_and_start_time() -> None:
    pid = os.getpid()
    assert is_running(pid, own_start_time(pid))
    assert is_running(pid, "")
    assert not is_running(pid, "1")
    assert not is_running(*dead_process())
    assert not is_running(0, "")
    assert not is_running(10**30, "")
    assert start_time(10**9) == ""


def test_process_that_nobody_waited_for_yet_is_not_running() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        started = start_time(process.pid)
        assert is_running(process.pid, started)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not is_running(process.pid, started)


def test_process_of_another_user_is_running() -> None:
    code = """
import os
from racehound.guard.identity import is_running, start_time
if os.geteuid() == 0:
    os.setuid(65534)
assert is_running(1, start_time(1))
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=50)


def test_process_that_may_not_be_asked_is_running(monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(pid: int, number: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", denied)
    assert is_running(os.getpid(), "")


def test_holder_on_another_host_is_never_called_dead() -> None:
    away = Holder(pid=1, host="elsewhere", boot="b")
    assert away.may_be_alive
    assert not away.is_known_dead
    assert not UNKNOWN.may_be_alive
    assert not UNKNOWN.is_known_dead


def test_holder_of_an_earlier_boot_is_dead() -> None:
    assert Holder(pid=os.getpid(), host=host_name(), boot="earlier").is_known_dead


def test_age_of_a_holder_elsewhere_comes_from_the_time_of_day() -> None:
    there = record.process_part("").replace(f"boot={boot_id()}".encode(), b"boot=b")
    there = there.replace(f"host={host_name()}".encode(), b"host=elsewhere")
    data = record.header(0, 0) + record.holder_part(there, 0, time.monotonic_ns() - 3_000_000_000)
    held = lock_held("x", data, NOWHERE, waited_ms=0)

    assert held.holder.age_ms == pytest.approx(3000, abs=500)
    assert " on elsewhere (age: 3" in str(held)
