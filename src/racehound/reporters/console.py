"""Rich output caught as text."""

from collections.abc import Iterable
from io import StringIO

from rich.console import Console, RenderableType
from rich.text import Text


def captured(parts: Iterable[RenderableType], *, width: int, color: bool) -> str:
    """The parts one below the other, without trailing spaces; a bare `Text` is never wrapped."""
    output = StringIO()
    console = Console(
        file=output,
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, Text))
    return "\n".join(line.rstrip() for line in output.getvalue().split("\n"))
