"""racehound and frontrun 0.7.0 side by side: how fast they search, how soon they find, what they say.

For every interpreter that this machine has, both tools are installed into an environment that is thrown away
afterwards. Rates are executions per second of CPU time; the two tools take turns at each program, and of several
turns the best counts, so that other work on the machine matters little. Counts of executions are exact.

Ends with status 1 and says what was missed if a figure is not reached on one of the interpreters.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "proving"))

from figures import Figures, missed
from speed import TIMED
from tables import show_bugs, show_sound, show_speed
from tools import OURS, PEER, Tool, installed

ROOT = Path(__file__).resolve().parents[1]
TURNS = 3
"""How often each tool is timed on each program."""


def interpreters() -> list[str]:
    found = subprocess.run([str(ROOT / ".ci" / "pythons")], capture_output=True, text=True, check=True)
    return sorted(found.stdout.split()) or [sys.executable]


def compare(python: str) -> list[str]:
    """Print the tables of one interpreter; what was missed there."""
    version = subprocess.run([python, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory(prefix="racehound-bench-") as scratch:
        ours = installed(OURS, python, Path(scratch) / "ours", str(ROOT))
        peer = installed(PEER, python, Path(scratch) / "peer", "frontrun==0.7.0")
        mine, theirs = timed(ours, peer)
        mine |= {part: ours.measure(part) for part in ("bugs", "sound")}
        theirs |= {"bugs": peer.measure("bugs")}
    print(f"\n## {version}\n")
    show_speed(mine["speed"], theirs["speed"])
    show_bugs(mine["bugs"], theirs["bugs"])
    show_sound(mine["sound"])
    return [f"{version}: {figure}" for figure in missed(mine, theirs)]


def timed(ours: Tool, peer: Tool) -> tuple[Figures, Figures]:
    """Speeds of both tools, measured in turns."""
    found: tuple[Figures, Figures] = ({}, {})
    for name in TIMED:
        for _ in range(TURNS):
            for tool, speeds in zip((ours, peer), found, strict=True):
                speeds[name] = better(speeds.get(name), tool.measure("speed", name))
    return {"speed": found[0]}, {"speed": found[1]}


def better(before: Figures | None, now: Figures) -> Figures:
    if before is None:
        return now
    best = {kind: max(before[kind], now[kind]) for kind in ("dpor", "random")}
    return now | best | {"cpu": min(before["cpu"], now["cpu"])}


def main() -> None:
    if shutil.which("sh") is None:
        sys.exit("this benchmark needs a POSIX shell")
    failures = [figure for python in sys.argv[1:] or interpreters() for figure in compare(python)]
    if failures:
        sys.exit("\nMissed:\n" + "\n".join(failures))


if __name__ == "__main__":
    main()
