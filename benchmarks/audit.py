"""Real tools under audit: what is racy is found within five schedules, what is clean is not accused.

usage: python benchmarks/audit.py [NAME ...]

A tool that is not installed is left out. CPU seconds are those of the audit with everything it started; the first
violation is given by its schedule. What observing costs is in audit_costs.py.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent / "examples" / "tools"
PYTHON = sys.executable
JSON_TOOL = """
import json, os, sys
config = json.load(open("conf.json")) if os.path.exists("conf.json") else {}
config[sys.argv[1]] = sys.argv[2]
json.dump(config, open("conf.json", "w"))
"""
GIT = "git init -q; echo b > base; git add base; for i in 0 1 2; do echo $i > k$i; done"
PACKAGE = """echo '{"name": "p", "version": "1.0.0", "x": {"base": 1}}' > package.json"""
SOON = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    name: str
    command: str
    setup: str = "true"
    racy: bool = False
    stuck: bool = False
    score: int | None = None

    @property
    def program(self) -> str:
        return self.command.split()[0]


CASES = (
    Case(name="pip config set", command="pip config --user set k{i}.x 1", racy=True),
    Case(name="sed -i", command="sed -i '$a k{i}' f", setup="echo base > f", racy=True),
    Case(name="npm pkg set", command="npm pkg set x.k{i}=1", setup=PACKAGE, racy=True),
    Case(name="dotenv set", command="dotenv -f .env set k{i} 1", setup="touch .env", racy=True),
    Case(
        name="shell update", command="sh -c 'x=$(cat f); echo \"$x k{i}\" > f'", setup="echo base > f", racy=True
    ),
    Case(name="json.load and dump", command=f"{PYTHON} JSON_TOOL k{{i}} v", racy=True),
    Case(name="git config", command="git config --global k{i}.x 1", setup="git config --global b.x 1", stuck=True),
    Case(name="git add", command="git add k{i}", setup=GIT, stuck=True),
    Case(
        name="sqlite3 insert",
        command="sqlite3 a.db 'insert into t values(\"k{i}\")'",
        setup="sqlite3 a.db 'create table t(k)'",
    ),
    Case(name="crudini --set", command="crudini --set f.ini s k{i} 1", setup="crudini --set f.ini s base 1"),
    Case(name="shell append", command="sh -c 'echo k{i} >> f'", setup="echo base > f"),
    Case(
        name="example, score 2",
        command=f"{PYTHON} {TOOLS / 'shelf_without_sessions.py'} --lock-timeout 0.5 put k{{i}} v",
        score=2,
    ),
    Case(
        name="example, score 3", command=f"{PYTHON} {TOOLS / 'shelf.py'} put k{{i}} v --lock-timeout 0.5", score=3
    ),
)


def main(wanted: list[str]) -> int:
    wrong = 0
    print(f"{'tool':<22}{'score':>6}{'first':>7}{'tried':>7}{'refused':>9}{'waited':>8}{'stuck':>7}{'CPU s':>8}")
    with tempfile.TemporaryDirectory() as folder:
        tool = Path(folder) / "tool.py"
        tool.write_text(JSON_TOOL)
        for case in CASES:
            if wanted and case.name not in wanted:
                continue
            if shutil.which(case.program) is None:
                print(f"{case.name:<22} not installed")
                continue
            wrong += not report(case, case.command.replace("JSON_TOOL", str(tool)))
    print(f"{wrong} not as expected" if wrong else "all as expected")
    return int(bool(wrong))


def report(case: Case, command: str) -> bool:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    arguments = ["--format", "json", "--budget", "600", "--setup", case.setup, "--", command]
    run = subprocess.run(
        [PYTHON, "-m", "racehound", "audit", *arguments], capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode > 1:
        print(f"{case.name:<22} {run.stderr.strip()}")
        return False
    data = json.loads(run.stdout)
    violations = data["violations"]
    first = violations[0]["schedule"] if violations else 0
    stuck = sum(point["stuck"] for point in data["crash_points"])
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(
        f"{case.name:<22}{data['score']:>6}{first or '-':>7}{data['schedules']:>7}{data['refused']:>9}"
        f"{data['waited']:>8}{stuck:>7}{cpu:>8.1f}"
    )
    if case.racy:
        return 0 < first <= SOON and data["score"] == 0
    return not violations and bool(stuck) == case.stuck and case.score in {None, data["score"]}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
