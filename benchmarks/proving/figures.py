"""What has to be reached, and what was not."""

import statistics
from collections.abc import Iterator
from typing import Any, Final

FASTER: Final = 10.0
"""Executions per CPU-second, as a multiple of the peer's."""
EXECUTIONS: Final = 150
"""Within so many every race is found, whatever the seed."""

Figures = dict[str, Any]


def missed(ours: Figures, peer: Figures) -> Iterator[str]:
    yield from _too_slow(ours["speed"], peer["speed"])
    yield from _not_found(ours["bugs"])
    mine, theirs = medians(ours["bugs"], peer["bugs"])
    if mine > theirs:
        yield f"{mine:g} executions to the bug, {theirs:g} with the peer"
    for name, figures in ours["sound"].items():
        if figures["verdict"] != "safe":
            yield f"{name} is sound and ends {figures['verdict']}"


def _too_slow(ours: Figures, peer: Figures) -> Iterator[str]:
    for name, mine in ours.items():
        for kind in ("dpor", "random"):
            ratio = mine[kind] / peer[name][kind]
            if ratio < FASTER:
                yield f"{name}, {kind}: {ratio:.1f} times as fast"


def _not_found(ours: Figures) -> Iterator[str]:
    for name, mine in ours.items():
        if mine["safe"]:
            yield f"{name} is racy and was called safe"
        if mine["found"] < mine["of"]:
            yield f"{name} was found with {mine['found']} of {mine['of']} seeds"
        elif mine["worst"] > EXECUTIONS:
            yield f"{name} took {mine['worst']} executions"


def medians(ours: Figures, peer: Figures) -> tuple[float, float]:
    """Executions to the bug on the programs in which both find one."""
    both = [
        (ours[name]["median"], theirs["executions"])
        for name, theirs in peer.items()
        if theirs and theirs["verdict"] == "race"
    ]
    return statistics.median(mine for mine, _ in both), statistics.median(theirs for _, theirs in both)
