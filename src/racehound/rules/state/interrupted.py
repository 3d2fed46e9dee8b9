"""How an accusation speaks of what comes in the middle of a function, in its own thread."""

from dataclasses import replace

from racehound.analysis.threads.activations import Context
from racehound.analysis.threads.ends import COLLECTOR, SIGNAL
from racehound.rules.rule import Accusation

_COMES = {
    SIGNAL: "a signal comes",
    COLLECTOR: "something that it makes there has the collector run",
}
_GOES = "something that it makes there has the collector run, an object goes"
_REMEDY = (
    "A lock does not keep out what interrupts the thread that holds it. Work on a copy that is taken in one step, "
    "reckon with what has gone, or let the interruption only set a flag or put to a `SimpleQueue`, and see to the "
    "rest in ordinary code."
)


def what_comes(context: Context) -> str:
    return _COMES.get(context.what, _GOES)


def interrupted(accusation: Accusation, context: Context) -> Accusation:
    name = accusation.second.function.name
    return replace(
        accusation,
        contexts=("", str(context)),
        remedy=_REMEDY,
        unpatched=f"`{name}` would wait for the thread that it interrupts",
        lock=None,
    )
