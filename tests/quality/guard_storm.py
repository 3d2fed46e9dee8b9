"""Eight processes update shared state while they are killed, stopped and forked at random.

usage: python tests/quality/guard_storm.py SECONDS [SEED]

Every worker notes an update before it starts and again when it is acknowledged. Afterwards each value
must lie between the two counts: less is a lost update, more one that happened twice.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import time
import tomllib
import traceback
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NoReturn

from racehound.guard import ConfigStore, Lock, Session, atomic_write

WORKERS = 8
KINDS = ("counter", "config.json", "config.toml")
STOPPED_SECONDS = 0.03
LONGEST_PAUSE = 0.02
ENOUGH = 100  # updates that make a storm worth judging
EXTRA_SECONDS = 30.0  # for a busy machine to get there


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a storm did and what it broke; a sound library leaves `failures` empty."""

    seed: int
    acknowledged: int
    kills: int
    stops: int
    failures: tuple[str, ...]


class Worker:
    def __init__(self, directory: Path, index: int, seed: int) -> None:
        self._directory = directory
        self._name = f"w{index}"
        self._chance = random.Random(seed)  # noqa: S311 - a storm is no secret
        self._started = self._notes("started")
        self._acknowledged = self._notes("acknowledged")

    def _notes(self, what: str) -> dict[str, int]:
        """A byte appended is a note that survives whatever happens to the writer."""
        return {kind: os.open(note_path(self._directory, self._name, kind, what), APPEND, 0o600) for kind in KINDS}

    def run(self) -> NoReturn:
        session = Session("storm", base=self._directory / "sessions")
        while True:
            kind = self._chance.choice(KINDS)
            os.write(self._started[kind], b".")
            self._count(kind)
            os.write(self._acknowledged[kind], b".")
            session.open(kind).close()
            with suppress(ChildProcessError):
                os.waitpid(-1, os.WNOHANG)

    def _count(self, kind: str) -> None:
        path = self._directory / kind
        if kind == "counter":
            with Lock(self._directory / "counter.lock", timeout=60):
                self._fork_sometimes()
                atomic_write(path, str(int(path.read_text()) + 1))
        else:
            store = ConfigStore(path, lock_timeout=60)
            store.update(lambda config: {**config, self._name: config.get(self._name, 0) + 1})

    def _fork_sometimes(self) -> None:
        """A child that outlives its parent must not keep the parent's lock."""
        if self._chance.random() < 0.1 and os.fork() == 0:
            time.sleep(0.2)
            os._exit(0)


APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND


def note_path(directory: Path, name: str, kind: str, what: str) -> Path:
    return directory / "notes" / f"{name}-{kind}-{what}"


def start(directory: Path, index: int, seed: int) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            Worker(directory, index, seed).run()
        except BaseException:  # noqa: BLE001 - said, and then the worker ends here, not in the driver's code
            traceback.print_exc()
        finally:
            os._exit(1)
    return pid


def rage(directory: Path, seconds: float, chance: random.Random) -> tuple[int, int]:
    """Kill and stop workers until the time is over and enough was done; returns how often."""
    all_gone, alive = os.pipe()
    pids = [start(directory, index, chance.getrandbits(32)) for index in range(WORKERS)]
    kills = stops = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end or (
        acknowledged_in(directory) <= ENOUGH and time.monotonic() < end + EXTRA_SECONDS
    ):
        time.sleep(chance.uniform(0, LONGEST_PAUSE))
        index = chance.randrange(WORKERS)
        if chance.random() < 0.5:
            os.kill(pids[index], signal.SIGKILL)
            os.waitpid(pids[index], 0)
            pids[index] = start(directory, index, chance.getrandbits(32))
            kills += 1
        else:
            os.kill(pids[index], signal.SIGSTOP)
            time.sleep(STOPPED_SECONDS)
            os.kill(pids[index], signal.SIGCONT)
            stops += 1
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    os.close(alive)
    os.read(all_gone, 1)  # ends when the last of the forked children has, which may use a session until then
    os.close(all_gone)
    return kills, stops


def acknowledged_in(directory: Path) -> int:
    return sum(path.stat().st_size for path in (directory / "notes").glob("*-acknowledged"))


def noted(directory: Path, name: str, kind: str, what: str) -> int:
    return note_path(directory, name, kind, what).stat().st_size


def counted(directory: Path, kind: str) -> dict[str, int]:
    text = (directory / kind).read_text()
    if kind == "counter":
        return {"all": int(text)}
    parsed: dict[str, int] = json.loads(text) if kind.endswith("json") else tomllib.loads(text)
    return parsed


def wrong_counts(directory: Path, kind: str) -> list[str]:
    names = [f"w{index}" for index in range(WORKERS)]
    groups = {"all": names} if kind == "counter" else {name: [name] for name in names}
    values = counted(directory, kind)
    wrong = []
    for group, members in groups.items():
        least = sum(noted(directory, name, kind, "acknowledged") for name in members)
        most = sum(noted(directory, name, kind, "started") for name in members)
        if not least <= values.get(group, 0) <= most:
            wrong.append(f"{kind} of {group} is {values.get(group, 0)}, not between {least} and {most}")
    return wrong


def after_the_next_start(directory: Path) -> list[str]:
    """A fresh process must get every lock at once and leave nothing of the dead behind."""
    pid = os.fork()
    if pid == 0:
        with Lock(directory / "counter.lock", timeout=1):
            atomic_write(directory / "counter", (directory / "counter").read_text())
        for kind in KINDS[1:]:
            ConfigStore(directory / kind, lock_timeout=1).set("last", 1)
        with Session("storm", base=directory / "sessions") as session:
            session.open("x").close()
        os._exit(0)
    failures = [] if os.waitpid(pid, 0)[1] == 0 else ["a lock was stuck after the storm"]
    return failures + [f"{path} was left behind" for path in directory.rglob("*") if is_leftover(directory, path)]


def is_leftover(directory: Path, path: Path) -> bool:
    return path.name.endswith(".rh-tmp") or path.parent == directory / "sessions"


def storm(directory: Path, seconds: float, seed: int) -> Outcome:
    (directory / "notes").mkdir()
    (directory / "counter").write_text("0")
    (directory / "config.json").write_text("{}")
    (directory / "config.toml").write_text("# stays\n")
    for name in (f"w{index}" for index in range(WORKERS)):
        for kind in KINDS:
            for what in ("started", "acknowledged"):
                note_path(directory, name, kind, what).touch()
    kills, stops = rage(directory, seconds, random.Random(seed))  # noqa: S311 - a storm is no secret
    failures = [failure for kind in KINDS for failure in wrong_counts(directory, kind)]
    acknowledged = acknowledged_in(directory)
    failures += after_the_next_start(directory)
    return Outcome(seed=seed, acknowledged=acknowledged, kills=kills, stops=stops, failures=tuple(failures))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        outcome = storm(Path(place), float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns())
    print(json.dumps(asdict(outcome)))  # noqa: T201 - the answer of a script
    sys.exit(bool(outcome.failures))
