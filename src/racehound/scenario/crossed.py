"""Calls about two things that are told by their names.

    def transfer(self, source, target, amount):
        if source == target:
            return

What `transfer('a', 'b', 1)` does wrong it does where both are there, and where somebody else takes them the other
way round: `transfer('b', 'a', 1)`. With one name for both it does nothing at all.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from racehound.scenario.calls import Call
from racehound.scenario.mentioned import apart, call_in, like

Texts = tuple[str, ...]
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Crossed:
    """A call about two things, and the same with the two exchanged."""

    forward: str
    backward: str


def crossed(call: Call) -> Crossed | None:
    """None for a call that does not name the same thing twice, as far as arguments are plain."""
    forward = apart(call.text, call.other) if call.other is not None else None
    before, after = call_in(call.text), call_in(forward or call.text)
    if forward is None or before is None or after is None:
        return None
    said = [ast.unparse(argument) for argument in before.args]
    places = [at for at, argument in enumerate(after.args) if ast.unparse(argument) != said[at]]
    if not places:  # it is only written otherwise
        return None
    first, second = said.index(said[places[0]]), places[0]
    after.args[first], after.args[second] = after.args[second], after.args[first]
    return Crossed(forward, like(forward, after))


def about_two(
    raced: Sequence[Call], every: Iterable[Call], prepared: Callable[[Call], Iterable[Texts]]
) -> Iterator[tuple[Texts, Pair]]:
    """Both ways at once, the same way twice, and beside all others, where both things are there."""
    found = [pair for call in raced if (pair := crossed(call)) is not None]
    if not found:
        return
    others = [call for call in every if call.can_precede]
    there = dict.fromkeys(texts for call in others for texts in _both(call, prepared(call)))
    for pair in found:
        for before in ((), *there):
            yield before, (pair.forward, pair.backward)
            yield before, (pair.forward, pair.forward)
        for before in there:
            yield from ((before, (pair.forward, other.text)) for other in others)


def _both(call: Call, prepared: Iterable[Texts]) -> Iterator[Texts]:
    """What makes both things known."""
    if call.other is not None and (pair := crossed(call)) is not None:
        yield (pair.forward,)
    elif call.other is not None:
        yield call.text, call.other
        yield from (texts for texts in prepared if len(texts) > 1)
