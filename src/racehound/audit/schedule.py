from dataclasses import dataclass

from racehound.processes.calls import Point


@dataclass(frozen=True, slots=True)
class Schedule:
    """One command is stopped at `point` and the other runs; at the points of `then` control comes back."""

    point: Point
    exchanged: bool = False
    """True where it is the second command that is stopped."""
    then: tuple[Point, ...] = ()
    hold: float = 0.0
    """For how many seconds the other command is left waiting, if it waits, before the stopped one goes on."""

    def __str__(self) -> str:
        stopped, other = ("B", "A") if self.exchanged else ("A", "B")
        text = f"{stopped} before {self.point}"
        text += "".join(f", then {other} before {point}" for point in self.then)
        return f"{text}, held there for {self.hold:g} s" if self.hold else text
