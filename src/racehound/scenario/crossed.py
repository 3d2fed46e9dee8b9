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
from itertools import product

from racehound.scenario.calls import Call
from racehound.scenario.filling import after
from racehound.scenario.mentioned import call_in, like

MOST = 3
"""Ways to tell the things apart that one call names."""
THIRD = 2
Texts = tuple[str, ...]
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Crossed:
    """A call about two things."""

    usual: str
    """For one of them alone."""
    forward: str
    backward: str
    """The two exchanged."""
    meeting: Pair
    """From each of the two to a third."""

    def pairs(self) -> Iterator[Pair]:
        """Of calls that have one of the things in common, or both."""
        yield self.forward, self.backward
        yield self.forward, self.forward
        yield self.usual, self.forward
        yield self.usual, self.backward


def crossed(call: Call) -> list[Crossed]:
    """The call for different things where it names the same one twice, as far as arguments are plain.

    Where it names it three times, each of those behind the first is another one in turn, and then all are.
    """
    usual, others = call_in(call.text), call_in(call.other) if call.other is not None else None
    if usual is None or others is None or len(usual.args) != len(others.args):
        return []
    first, further = _same(usual.args)
    changes = [[place] for place in further] + ([further] if len(further) > 1 else [])
    return [_exchanged(call.text, others.args, first, places) for places in changes[:MOST]]


def _same(arguments: Sequence[ast.expr]) -> tuple[int, list[int]]:
    """The first place of something that is named again, and the other places."""
    said = [ast.unparse(each) if _is_name_of_something(each) else None for each in arguments]
    repeated = [at for at, text in enumerate(said) if text is not None and text in said[:at]]
    first = said.index(said[repeated[0]]) if repeated else 0
    return first, [at for at in repeated if said[at] == said[first]]


def _is_name_of_something(argument: ast.expr) -> bool:
    return isinstance(argument, ast.Constant) and type(argument.value) in (str, int)


def _exchanged(text: str, others: Sequence[ast.expr], first: int, places: Sequence[int]) -> Crossed:
    this, that = _argument(text, first), others[first]
    third = ast.Constant(after(ast.literal_eval(this), THIRD))

    def written(at_first: ast.expr, elsewhere: ast.expr) -> str:
        return _with(text, {first: at_first, **dict.fromkeys(places, elsewhere)})

    return Crossed(
        text, written(this, that), written(that, this), meeting=(written(this, third), written(that, third))
    )


def _argument(text: str, place: int) -> ast.expr:
    call = call_in(text)
    return ast.Constant(None) if call is None else call.args[place]


def _with(text: str, arguments: dict[int, ast.expr]) -> str:
    call = call_in(text)
    if call is None:
        return text
    for place, argument in arguments.items():
        call.args[place] = argument
    return like(text, call)


def about_two(
    raced: Sequence[Call], every: Iterable[Call], prepared: Callable[[Call], Iterable[Texts]]
) -> Iterator[tuple[Texts, Pair]]:
    """Both ways at once, the same way twice, and beside all others, where one of the things is there, or both."""
    found = [pair for call in raced for pair in crossed(call)]
    if not found:
        return
    before_all = [call for call in every if call.can_precede]
    others = [call for call in before_all if not crossed(call)]
    one_there = [(call.text,) for call in others if call.other is not None]
    both_there = list(dict.fromkeys(texts for call in others for texts in both(call, prepared(call))))
    for pair in found:
        yield from product(((), *both_there, (pair.forward,)), pair.pairs())
        yield from ((before, pair.meeting) for before in both_there)
        for before, other in product((*both_there, *one_there), others):
            yield from ((before, (pair.forward, text)) for text in (other.text, other.other) if text)
    for before in both_there:
        yield from _among_themselves(before, found)
    for before, more, pair in product(both_there, before_all, found):
        if more.text not in before:
            yield from (((*before, more.text), raced) for raced in pair.pairs())


def _among_themselves(before: Texts, found: Sequence[Crossed]) -> Iterator[tuple[Texts, Pair]]:
    """Calls about the same two, also where one of them has brought these together."""
    for one, other in product(found, found):
        yield from ((before, (one.forward, text)) for text in (other.forward, other.backward) if one is not other)
        yield (*before, one.forward), (one.backward, other.forward)


def both(call: Call, prepared: Iterable[Texts]) -> Iterator[Texts]:
    """What makes both things known."""
    if call.other is not None:
        yield call.text, call.other
        yield from (texts for texts in prepared if len(texts) > 1)
