"""Code that has asked which thread it runs in, and goes on accordingly."""

from racehound.analysis.program import Program
from racehound.source.events import Call, Decision
from racehound.source.facts import FunctionFacts

WHO = frozenset({"get_ident", "current_thread", "currentThread", "get_native_id", "get_running_loop"})


def knows_its_thread(program: Program, function: FunctionFacts, index: int) -> bool:
    """True if a decision by `threading.get_ident()`, `get_running_loop()` or their like leads to the event."""
    asked = [at for at, event in enumerate(function.events[:index]) if _asks(event)]
    decisions = [event for event in function.events[:index] if isinstance(event, Decision)] if asked else []
    paths = program.awaits.paths(function) if decisions else None
    return paths is not None and any(
        at in decision.sources and paths.decided_by(at, index) for at in asked for decision in decisions
    )


def _asks(event: object) -> bool:
    return isinstance(event, Call) and event.method in WHO
