"""racehound and frontrun 0.7.0 side by side: how fast they search, how soon they find, what they say.

For every interpreter that this machine has, both tools are installed into an environment that is thrown away
afterwards. Rates are executions per second of CPU time, so that other work on the machine matters little.
Counts of executions are exact.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MEASURE = ROOT / "benchmarks" / "proving" / "measure.py"
PEER = "frontrun==0.7.0"

Figures = dict[str, Any]


def interpreters() -> list[str]:
    found = subprocess.run([str(ROOT / ".ci" / "pythons")], capture_output=True, text=True, check=True)
    return sorted(found.stdout.split()) or [sys.executable]


def installed(python: str, base: Path, requirement: str) -> Path:
    """The directory with the commands of an environment that holds the requirement."""
    subprocess.run([python, "-m", "venv", str(base)], check=True)
    subprocess.run(
        [str(base / "bin" / "python"), "-m", "pip", "install", "--quiet", requirement],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    return base / "bin"


def measured(command: list[str], tool: str, answer: Path) -> Figures:
    subprocess.run(
        [*command, str(MEASURE), tool, str(answer)],
        check=True,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )
    figures: Figures = json.loads(answer.read_text(encoding="utf-8"))
    return figures


def compare(python: str) -> None:
    version = subprocess.run([python, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory(prefix="racehound-bench-") as scratch:
        base = Path(scratch)
        ours = installed(python, base / "ours", str(ROOT))
        ours_figures = measured([str(ours / "python")], "racehound", base / "ours.json")
        peer = installed(python, base / "peer", PEER)
        peer_figures = measured([str(peer / "frontrun"), str(peer / "python")], "frontrun", base / "peer.json")
    print(f"\n## {version}\n")
    show_speed(ours_figures["speed"], peer_figures["speed"])
    show_bugs(ours_figures["bugs"], peer_figures["bugs"])
    show_sound(ours_figures["sound"])


SPEED = (
    "program",
    "racehound: verdict, executions, CPU ms",
    "frontrun",
    "DPOR/s",
    "frontrun",
    "ratio",
    "random/s",
    "frontrun",
    "ratio",
)
BUGS = ("racy program", "racehound: found, median, worst", "frontrun, default search")


def show_speed(ours: Figures, peer: Figures) -> None:
    print_head(SPEED)
    for name, mine in ours.items():
        theirs = peer[name]
        rates = [
            cell
            for kind in ("dpor", "random")
            for cell in (f"{mine[kind]:.0f}", f"{theirs[kind]:.0f}", f"{mine[kind] / theirs[kind]:.1f}")
        ]
        print_row([name, said(mine), said(theirs), *rates])


def print_head(cells: Sequence[str]) -> None:
    print_row(cells)
    print_row(["---"] * len(cells))


def print_row(cells: Sequence[str]) -> None:
    print(f"| {' | '.join(cells)} |")


def said(figures: Figures) -> str:
    return f"{figures['verdict']}, {figures['executions']}, {1000 * figures['cpu']:.0f}"


def show_bugs(ours: Figures, peer: Figures) -> None:
    print()
    print_head(BUGS)
    for name, mine in ours.items():
        counts = f"{mine['found']}/{mine['of']}, {mine['median']:g}, {mine['worst']}"
        print_row([name, counts, peer_said(peer[name])])
    both = [
        (ours[name]["median"], theirs["executions"])
        for name, theirs in peer.items()
        if theirs and theirs["verdict"] == "race"
    ]
    wrong = sum(bool(theirs) and theirs["verdict"] == "holds" for theirs in peer.values())
    print(
        f"\nFound by both: {len(both)}; median executions {statistics.median(mine for mine, _ in both):g} "
        f"and {statistics.median(theirs for _, theirs in both):g}. "
        f"Called safe: {sum(mine['safe'] > 0 for mine in ours.values())} and {wrong} of {len(ours)}."
    )


def peer_said(figures: Figures | None) -> str:
    if figures is None:
        return "not expressible"
    verdict, executions = figures["verdict"], figures["executions"]
    return str(verdict) if executions is None else f"{verdict}, {executions}"


def show_sound(ours: Figures) -> None:
    safe = sum(figures["verdict"] == "safe" for figures in ours.values())
    slowest = max(figures["cpu"] for figures in ours.values())
    print(f"\nSound programs proven safe: {safe} of {len(ours)}, the slowest in {1000 * slowest:.0f} ms of CPU.")


def main() -> None:
    if shutil.which("sh") is None:
        sys.exit("this benchmark needs a POSIX shell")
    for python in sys.argv[1:] or interpreters():
        compare(python)


if __name__ == "__main__":
    main()
