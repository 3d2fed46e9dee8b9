"""What observing commands costs, and what is left of them when an audit ends badly.

usage: python benchmarks/audit_costs.py [cost] [first] [memory] [remains]

cost: CPU of an observed run against that of a plain one; exit status 1 where it is more than 1.6 times as much.
A plain run is the command with all it starts, and what `subprocess.run` takes in the program that starts it; an
observed one the command with all it starts, the process that observes it, and what it takes to ask that.
"changes" is one run without a look at what is only read, "recording" one with it, "schedule" two as an audit runs
them, the first stopped before it changes anything, compared with two plain runs. The limit holds for all three.
first: CPU until the first violation of a tool that runs 50 ms. memory: of both processes of an audit over 1,000
schedules. remains: processes, mounts and files that are left after an audit that was ended, or whose tool
misbehaves.
"""

from __future__ import annotations

import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from racehound.audit.auditor import Examination
from racehound.audit.preparing import prepared
from racehound.audit.request import AuditRequest, Progress
from racehound.audit.schedule import Schedule
from racehound.audit.search import Search, Tally
from racehound.audit.stage import TINY, Stage, recorded
from racehound.audit.template import pair_of
from racehound.audit.tokens import Recipe
from racehound.processes.calls import Detail, Point
from racehound.processes.command import Command
from racehound.processes.run import observe
from racehound.processes.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PYTHON = sys.executable
LOOP = "import time; end = time.process_time() + {seconds}\nwhile time.process_time() < end: pass"
COMMANDS = {
    "true": "true",
    "git --version": "git --version",
    "sed -i": "sed -i s/a/b/ f",
    "git config": "git config --global k.x 1",
    "sqlite3 insert": "sqlite3 a.db 'create table if not exists t(k); insert into t values(1)'",
    "shell update": "sh -c 'x=$(cat f); echo \"$x k\" > g'",
    "python -c pass": f"{PYTHON} -c pass",
    "node -e 0": "node -e 0",
    "pip config set": "pip config --user set k.x 1",
    "npm pkg get": "npm pkg get name",
}
MOST = 1.6
ROUNDS, ROUND_SECONDS, LEAST_RUNS = 7, 0.3, 2
FIFTY = f"""
import json, os, sys
{LOOP.format(seconds=0.03)}
config = json.load(open("conf.json")) if os.path.exists("conf.json") else {{}}
config[sys.argv[1]] = 1
json.dump(config, open("conf.json", "w"))
"""


class Costs(NamedTuple):
    """Milliseconds of CPU."""

    command: float
    everything: float


def cost() -> bool:
    """Whether every observed run stays below the limit."""
    print(f"\n{'one run':<18}{'command ms':>11}{'plain ms':>10}{'schedule':>10}{'changes':>9}{'recording':>11}")
    held = True
    for name, text in COMMANDS.items():
        command = Command.parse(text)
        if shutil.which(command.argv[0]) is None:
            continue
        alone, plain, ratios = _compared(command)
        held = held and max(ratios) <= MOST
        print(f"{name:<18}{alone:>11.2f}{plain:>10.2f}{ratios[0]:>10.2f}{ratios[1]:>9.2f}{ratios[2]:>11.2f}")
    print(f"every run within {MOST} x plain: {'yes' if held else 'no'}")
    return held


def _compared(command: Command) -> tuple[float, float, tuple[float, ...]]:
    """Rounds of plain and observed runs by turns, as no machine is equally busy for long; the middle counts."""
    with Sandbox() as sandbox:
        (sandbox.work / "f").write_text("a\n")
        stage, point = _staged(command, sandbox), _first_change(command, sandbox)
        ways = (
            lambda: _plain(command, sandbox),
            lambda: _half(_observed(lambda: _schedule(stage, point), sandbox)),
            lambda: _observed(lambda: _alone(command, sandbox, Detail.CHANGES), sandbox),
            lambda: _observed(lambda: _alone(command, sandbox, Detail.OPENS), sandbox),
        )
        for way in ways:
            way()
        rounds = [tuple(map(_several, ways)) for _ in range(ROUNDS)]
    alone, plain = (median(costs[0][field] for costs in rounds) for field in (0, 1))
    ratios = (median(costs[way].everything / costs[0].everything for costs in rounds) for way in (1, 2, 3))
    return alone, plain, tuple(ratios)


def _several(way: Callable[[], Costs]) -> Costs:
    found: list[Costs] = []
    end = time.monotonic() + ROUND_SECONDS
    while time.monotonic() < end or len(found) < LEAST_RUNS:
        found.append(way())
    return Costs(*(sum(column) / len(found) for column in zip(*found, strict=True)))


def _plain(command: Command, sandbox: Sandbox) -> Costs:
    """With what the program that starts it takes: this one, by the standard library, keeping what is printed."""
    before, children = time.process_time(), _children()
    subprocess.run(
        command.argv,
        cwd=sandbox.work,
        env=sandbox.environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    used = _children() - children
    return Costs(used * 1e3, (used + time.process_time() - before) * 1e3)


def _staged(command: Command, sandbox: Sandbox) -> Stage:
    """As an audit sets it, without what looks at states: only the runs are compared."""
    plain = min(_plain(command, sandbox).command for _ in range(LEAST_RUNS))
    return Stage(sandbox=sandbox, commands=(command, command), tiny=plain < TINY * 1e3)


def _first_change(command: Command, sandbox: Sandbox) -> Point:
    """Of a command that changes nothing, a place that is not reached: then one runs after the other."""
    calls = observe(command, sandbox, timeout=60.0).calls
    return next((call.point for call in calls if call.mutating and not call.outside), Point("rename", "work/none"))


def _alone(command: Command, sandbox: Sandbox, detail: Detail) -> float:
    return observe(command, sandbox, timeout=60.0, detail=detail).cpu


def _schedule(stage: Stage, point: Point) -> float:
    met = stage.met(*stage.commands, (point,), drawn=False)
    return met.first.cpu + met.second.cpu


def _half(costs: Costs) -> Costs:
    return Costs(costs.command / 2, costs.everything / 2)


def _observed(run: Callable[[], float], sandbox: Sandbox) -> Costs:
    """With what the process that keeps it takes, and what this one takes to ask for it and to hear of it."""
    before, keeper = time.process_time(), _nanoseconds(sandbox.keeping.process)
    used = run()
    ours = time.process_time() - before
    return Costs(used * 1e3, (used + ours) * 1e3 + (_nanoseconds(sandbox.keeping.process) - keeper) / 1e6)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _nanoseconds(process: int) -> int:
    threads = Path(f"/proc/{process}/task").iterdir()
    return sum(int((thread / "schedstat").read_text(encoding="ascii").split()[0]) for thread in threads)


class Found(Exception):
    """The first violation is there."""


def first() -> None:
    with tempfile.TemporaryDirectory() as folder:
        tool = Path(folder) / "tool.py"
        tool.write_text(FIFTY)
        one, two = (f"{PYTHON} {tool} {key}" for key in ("k1", "k2"))
        request = AuditRequest(pairs=(pair_of(one, two),), setup=("echo '{}' > conf.json",))
        before = os.times()
        examination: Examination

        def watch(_: Progress) -> None:
            if examination.findings.tally.violations:
                raise Found

        examination = Examination(request, watch)
        try:
            examination.race(request.pairs[0])
        except Found:
            after = os.times()
            print(f"\nfirst violation of a tool that runs 50 ms: {sum(after[:4]) - sum(before[:4]):.2f} s of CPU")


def memory() -> None:
    request = AuditRequest(pairs=(pair_of("echo k1 >> f", "echo k2 >> f"),), setup=("echo base > f",))
    recipe = Recipe(first="", second="", setup=(), view=None)
    print(f"\n{'schedules':<18}{'racehound KiB':>14}{'keeper KiB':>12}")
    with prepared(request.pairs[0], request) as bare:
        stage, serial = recorded(bare)
        search = Search("append", stage, serial, recipe, Tally())
        for number in range(1, 1001):
            search.attempt(Schedule(Point("write", "work/f")))
            if number in {100, 400, 700, 1000}:
                sizes = (_resident(process) for process in (os.getpid(), stage.sandbox.keeping.process))
                print("{:<18}{:>14}{:>12}".format(number, *sizes))


def _resident(process: int) -> int:
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


DAEMON = "setsid sleep 600 > /dev/null 2>&1 & echo k{i} >> f"
CLOSING = f'{PYTHON} -c \'import os; os.closerange(0, 1024); open("f", "a").write("k")\''
GROUP = f'{PYTHON} -c \'import os; os.fork() or os.setpgid(0, 0); open("f", "a").write("k")\''
SLOW = "echo k{i} >> f; sleep 600"
ENDINGS: dict[str, tuple[str, signal.Signals | None, str]] = {
    "Ctrl-C": (SLOW, signal.SIGINT, "racehound"),
    "SIGTERM": (SLOW, signal.SIGTERM, "racehound"),
    "SIGKILL": (SLOW, signal.SIGKILL, "racehound"),
    "SIGKILL of keeper": (SLOW, signal.SIGKILL, "keeper"),
    "daemonizes": (DAEMON, None, ""),
    "closes descriptors": (CLOSING, None, ""),
    "changes its group": (GROUP, None, ""),
    "never ends": (SLOW, None, ""),
}


def remains() -> None:
    print(f"\n{'what happens':<20}{'exit':>6}{'processes':>11}{'mounts':>8}{'files':>7}")
    for name, (command, number, whom) in ENDINGS.items():
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            base = Path(folder)
            status = _ended(command, number, whom, base)
            left = list(_living(base))
            files = sum(1 for path in base.rglob("*") if not path.is_dir() or not any(path.iterdir()))
        more = Path("/proc/self/mounts").read_text(encoding="utf-8").count("\n") - mounts.count("\n")
        print(f"{name:<20}{status:>6}{len(left):>11}{more:>8}{files:>7}")


def _ended(command: str, number: signal.Signals | None, whom: str, base: Path) -> int:
    arguments = ["audit", "--budget", "20", "--patience", "2", "--setup", "echo base > f", "--", command]
    audit = subprocess.Popen(
        [PYTHON, "-m", "racehound", *arguments],
        env={**os.environ, "TMPDIR": str(base)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 - no threads here
    )
    if number is None:
        return audit.wait()
    while not list(base.glob("racehound-*/*/box/work/f")) or not list(_living(base)):
        time.sleep(0.05)
    keeper = _keeper_of(audit.pid)
    ends = select.poll()
    ends.register(os.pidfd_open(keeper), select.POLLIN)
    os.kill(keeper if whom == "keeper" else audit.pid, number)
    status = audit.wait()
    ends.poll(20_000)  # it outlives a killed owner for a moment
    return status


def _keeper_of(process: int) -> int:
    return int(Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()[0])


def _living(base: Path) -> Iterator[int]:
    """Processes that were started below this directory, dead ones aside."""
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.fsencode(f"{base}/racehound") in (entry / "environ").read_bytes():
                yield int(entry.name)
        except OSError:  # gone, or not ours
            continue


PARTS: dict[str, Callable[[], bool | None]] = {"cost": cost, "first": first, "memory": memory, "remains": remains}

if __name__ == "__main__":
    results = [PARTS[part]() for part in sys.argv[1:] or PARTS]
    sys.exit(False in results)
