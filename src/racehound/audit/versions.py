"""Which version of a tool was audited, as it says itself."""

from pathlib import Path

from racehound.audit.complaining import first_line
from racehound.audit.programs import script_place
from racehound.audit.stage import Stage
from racehound.processes.command import SHELL, Command
from racehound.processes.run import execute

SECONDS = 10.0
LONGEST = 80


def version_of(stage: Stage) -> str:
    """The first line of what `--version` prints; empty where the command is a shell line or does not say."""
    words = stage.commands[0].argv
    if words[:2] == SHELL:
        return ""
    place = script_place(list(words), Path("/")) or 0
    stage.sandbox.restore()
    run = execute(Command((*words[: place + 1], "--version")), stage.sandbox, timeout=SECONDS)
    said = first_line(run.stdout.decode(errors="replace"), length=LONGEST)
    return said if run.status == 0 else ""
