"""The command on which backends are tried."""

from pathlib import Path

from racehound.processes.calls import Detail
from racehound.processes.launch import Launch
from racehound.processes.plan import Plan

TRIAL_SECONDS = 10.0


def trial_plan(place: Path) -> Plan:
    """Empties a file below `place`, by way of a child process."""
    launch = Launch(argv=("/bin/sh", "-c", "(: > file)"), variables="", directory=str(place))
    return Plan(launches=(launch,), timeout=TRIAL_SECONDS, detail=Detail.CHANGES)
