"""Time as an option says it."""

import click

LONGEST = 1e6
"""More than any search needs, and less than what timers refuse."""


class Seconds(click.FloatRange):
    """A number above 0 that a clock can count to: `nan` and `inf` are none."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            seconds = float(value)
        except ValueError:
            seconds = float("nan")
        if not 0 < seconds <= LONGEST:  # which is how `nan` answers every comparison
            self.fail(f"{value} is not a number of seconds above 0, up to {LONGEST:.0f}.", param, ctx)
        return seconds
