"""What was measured, as tables."""

from collections.abc import Sequence

from figures import Figures, medians

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
    mine_median, their_median = medians(ours, peer)
    both = sum(bool(theirs) and theirs["verdict"] == "race" for theirs in peer.values())
    wrong = sum(bool(theirs) and theirs["verdict"] == "holds" for theirs in peer.values())
    print(
        f"\nFound by both: {both}; median executions {mine_median:g} and {their_median:g}. "
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
