"""The two tools, each in an environment of its own."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from figures import Figures

MEASURE = Path(__file__).resolve().with_name("measure.py")
OURS = "racehound"
PEER = "frontrun"


@dataclass(frozen=True)
class Tool:
    name: str
    commands: Path
    """The directory with the commands of its environment."""

    def measure(self, *what: str) -> Figures:
        answer = self.commands.parent / "answer.json"
        # The peer sees to threads only where its own command starts the interpreter.
        launcher = [str(self.commands / PEER)] if self.name == PEER else []
        subprocess.run(
            [*launcher, str(self.commands / "python"), str(MEASURE), self.name, str(answer), *what],
            check=True,
            stdout=subprocess.DEVNULL,
            env=os.environ | {"PYTHONHASHSEED": "0"},
        )
        figures: Figures = json.loads(answer.read_text(encoding="utf-8"))
        return figures


def installed(name: str, python: str, base: Path, requirement: str) -> Tool:
    subprocess.run([python, "-m", "venv", str(base)], check=True)
    subprocess.run(
        [str(base / "bin" / "python"), "-m", "pip", "install", "--quiet", requirement],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    return Tool(name, base / "bin")
