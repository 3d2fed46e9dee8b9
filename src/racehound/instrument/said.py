"""What tasks tell the world: printed and logged lines, which nobody keeps and the state does not show."""

from collections.abc import Iterable

from racehound.engine.execution import Execution

_PLAIN = frozenset({str, int, float, bool, type(None), bytes})


def note_said(execution: Execution, values: Iterable[object]) -> None:
    """Of objects that may look otherwise each time, only the kind is noted."""
    execution.trace.said.append((execution.running, " ".join(map(_text, values))))


def _text(value: object) -> str:
    return str(value) if type(value) in _PLAIN else type(value).__name__
