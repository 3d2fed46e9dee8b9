"""racehound hunt and its static peers on the same files of real packages, in one run.

Packages and peers are installed by pip into directories of their own, which are kept below `build/` for the next
run. Times are CPU seconds, those of child processes included, so that other work on the machine matters little.
The slow peers see one package only; rates are then compared on the files of that package. With `--all-files` the
two that take no hour for it see all files, too. The exit status is 1 where a figure is missed.
"""

import compileall
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "build" / "bench-hunt"
PACKAGES = (
    *("django", "sqlalchemy", "celery", "distributed", "dask", "aiohttp", "tornado", "trio", "anyio", "kombu"),
    *("gunicorn", "uvicorn", "starlette", "fastapi", "httpx", "urllib3", "requests", "redis", "pymongo"),
    *("kafka-python", "paramiko"),
)
PEERS = ("ruff", "bandit", "pylint", "flake8", "flake8-async", "semgrep")
SAMPLE = "aiohttp"
FOR_ALL_FILES = ("semgrep", "bandit")
"""Pylint and flake8 take ten minutes and half an hour of CPU for a million lines."""
CHANGED = Path("aiohttp", "connector.py")
"""Full of coroutines: what is found elsewhere may hang on it."""
INERT = b"\n\ndef _added(value):\n    return value + 1\n"
"""A function that only computes."""
STATE = b"\n\nclass _Added:\n    total = 0\n\n    def add(self, value):\n        self.total += value\n"
"""Something that rules look at."""
MORE = STATE + b"\n    def take(self, value):\n        self.total -= value\n"
CHANGED_PLAIN = Path("aiohttp", "web_log.py")
"""Without a sign of concurrency, as two of three files are: nothing hangs on it."""
RULES = "ASYNC,RUF006,B909,PLW2101,PLE4703,S108,S306"
PARSE = """
import ast, pathlib, warnings
warnings.simplefilter("ignore")
for path in pathlib.Path().rglob("*.py"):
    try:
        ast.parse(path.read_bytes())
    except SyntaxError:
        pass
"""
"""What every tool in Python has to do at least, for files that it looks into."""
MEGABYTE = 1024
"""Of the kilobytes that the kernel counts in."""


class Cost(NamedTuple):
    cpu: float
    memory: float


class Figure(NamedTuple):
    name: str
    value: float
    limit: float
    is_least: bool

    @property
    def is_met(self) -> bool:
        return self.value >= self.limit if self.is_least else self.value <= self.limit

    def __str__(self) -> str:
        sign = "at least" if self.is_least else "at most"
        return f"{'ok    ' if self.is_met else 'MISSED'} {self.name}: {self.value:.2f} ({sign} {self.limit:.2f})"


def cost(command: Sequence[str], directory: Path) -> Cost:
    """Of one command and its children; findings are no failure."""
    process = subprocess.Popen(command, cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode < 0:
        raise SystemExit(f"{command[0]} ended by signal {-process.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / MEGABYTE)


def installed() -> tuple[Path, Path]:
    """The directory of packages and that of commands."""
    tree, tools = PLACE / "tree", PLACE / "tools"
    if not tools.exists():
        venv.create(tools, with_pip=True)
    pip = [str(tools / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    for peer in PEERS:
        if not (tools / "bin" / peer.partition("-")[0]).exists() or "-" in peer:
            subprocess.run([*pip, peer], check=False, stderr=subprocess.DEVNULL)
    if not (tools / "bin" / "racehound").exists():
        subprocess.run([*pip, str(ROOT)], check=True, stderr=subprocess.DEVNULL)
    if not tree.exists():
        for package in PACKAGES:
            subprocess.run(
                [*pip, "--no-deps", "--no-compile", "--target", str(tree), package],
                check=False,
                stderr=subprocess.DEVNULL,
            )
    return tree, tools / "bin"


def lines_of(tree: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in tree.rglob("*.py"))


def racehound(tree: Path, command: list[str]) -> Iterator[Figure]:
    """Cold, unchanged and with one file changed, against ruff's own cache."""
    lines = lines_of(tree)
    with tempfile.TemporaryDirectory(prefix="racehound-bench-") as scratch:
        cached = [*command, "hunt", ".", "--format", "json", "--cache-dir", f"{scratch}/ours"]
        cold = cost(cached, tree)
        unchanged = min(cost(cached, tree).cpu for _ in range(3))
        with changed(tree / CHANGED_PLAIN):
            plain = cost(cached, tree).cpu
        with changed(tree / CHANGED):
            one = cost(cached, tree).cpu
        with changed(tree / CHANGED, STATE):
            state = cost(cached, tree).cpu
        with changed(tree / CHANGED, MORE):
            again = cost(cached, tree).cpu
        tool = [str(PLACE / "tools" / "bin" / "ruff"), "check", "--isolated", "--select", RULES, "--preview"]
        ruff = [*tool, "--cache-dir", f"{scratch}/ruff", "."]
        ruff_cold = cost(ruff, tree).cpu
        ruff_cached = min(cost(ruff, tree).cpu for _ in range(3))
    parsing = cost([sys.executable, "-c", PARSE], tree).cpu
    print(f"{lines:,} lines; ruff {ruff_cold:.2f} CPU-s, cached {ruff_cached:.2f}; ast.parse alone {parsing:.2f}")
    print(f"racehound {cold.cpu:.2f} CPU-s cold, {unchanged:.2f} unchanged")
    yield Figure("thousand lines per CPU-second, cold", lines / cold.cpu / 1000, 150, is_least=True)
    yield Figure("peak memory in MB", cold.memory, 400, is_least=False)
    yield Figure("CPU-seconds with a function added that only computes", one, 1.0, is_least=False)
    yield Figure("CPU-seconds with a class added that has state", state, 1.0, is_least=False)
    yield Figure("CPU-seconds with a method added to that class", again, 1.0, is_least=False)
    yield Figure("CPU-seconds with one file changed that has no sign of concurrency", plain, 1.0, is_least=False)
    yield Figure("CPU-seconds with nothing changed, of ruff's", unchanged / ruff_cached, 2.0, is_least=False)


class changed:  # noqa: N801 - reads as a verb after `with`
    """A file with something more at its end, for a while."""

    def __init__(self, path: Path, added: bytes = INERT) -> None:
        self._path = path
        self._added = added
        self._before = path.read_bytes()

    def __enter__(self) -> None:
        self._path.write_bytes(self._before + self._added)

    def __exit__(self, *_: object) -> None:
        self._path.write_bytes(self._before)


def peers(sample: Path, command: list[str], tools: Path, names: Sequence[str] = ()) -> Iterator[Figure]:
    """Rates on the files of a directory, and how many times faster racehound is; `names` are the peers, or all."""
    lines = lines_of(sample)
    (sample / ".semgrepignore").touch()  # it leaves out tests and more where nobody says what to leave out
    ours = lines / cost([*command, "hunt", ".", "--format", "json", "--no-cache"], sample).cpu
    print(f"\n{sample.name}, {lines:,} lines\n  racehound     {ours:10,.0f} lines per CPU-second")
    commands = {
        "semgrep": [
            "scan",
            "--metrics=off",
            "--disable-version-check",
            "--config",
            str(ROOT / "benchmarks/hunting/semgrep.yml"),
            ".",
        ],
        "bandit": ["-q", "-r", "-t", "B108,B306", "."],
        "pylint": ["--disable=all", "--enable=W2101,W1506,W1509,E1700,E1701,E4702", "--recursive=y", "."],
        "flake8": ["--select", "ASYNC", "."],
    }
    for name, arguments in commands.items():
        if names and name not in names:
            continue
        if not (tools / name).exists():
            print(f"  {name:<12}  could not be installed")
            continue
        rate = lines / cost([str(tools / name), *arguments], sample).cpu
        print(f"  {name:<12}  {rate:10,.0f} lines per CPU-second")
        yield Figure(f"times as fast as {name} on {sample.name}", ours / rate, 10, is_least=True)


def main() -> int:
    tree, tools = installed()
    compileall.compile_dir(ROOT / "src", quiet=1)  # as pip has done for the peers
    command = [str(tools / "racehound")] if "--installed" in sys.argv else [sys.executable, "-m", "racehound"]
    figures = list(racehound(tree, command))
    with tempfile.TemporaryDirectory(prefix="racehound-sample-") as scratch:
        sample = Path(scratch, SAMPLE)
        shutil.copytree(tree / SAMPLE, sample)
        figures += peers(sample, command, tools)
        if "--all-files" in sys.argv:
            everything = Path(scratch, "all files")
            shutil.copytree(tree, everything)
            figures += peers(everything, command, tools, FOR_ALL_FILES)
    print()
    for figure in figures:
        print(figure)
    return 0 if all(figure.is_met for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
