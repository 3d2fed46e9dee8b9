"""Pairs of calls in other ways than as they stand: after further calls, with other arguments, with shared objects.

Each comes with what is called before it.
"""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product

from racehound.scenario.calls import Call
from racehound.scenario.collaborators import with_one_for_all
from racehound.scenario.filling import SIZE, varied
from racehound.scenario.listeners import has_listener

FEW = 2

Texts = tuple[str, ...]
Calls = tuple[Call, Call]
Pair = tuple[str, str]


def alike(pair: Calls) -> Pair:
    return pair[0].text, pair[1].text


def with_new_arguments(pair: Calls) -> list[Pair]:
    """Both with others than the calls before them had: what is missing, where something is there already."""
    new = pair[0].other or pair[0].text, pair[1].other or pair[1].text
    return [new] if new != alike(pair) else []


def with_other_arguments(pair: Calls) -> list[Pair]:
    first, second = pair
    variants = [(first.text, text) for text in (second.other, second.rival) if text]
    if first.other and second.other and first.fails_with_others:
        variants.append((first.other, second.other))
    return variants


def with_one_stand_in(calls: list[Call]) -> Iterator[tuple[Texts, Pair]]:
    """What is made up for an argument is one object for all calls: who takes it back takes back the same."""
    texts = {call.text: with_one_for_all(call.text) for call in calls}
    shared = [text for plain, text in texts.items() if text != plain]
    for one, other in combinations_with_replacement(shared, 2):
        yield from (((first,), (one, other)) for first in shared)
    yield from (((one,), (one, other)) for one in shared for other in texts if other not in shared)


def with_two_listeners(calls: list[Call], pairs: list[Calls]) -> Iterator[tuple[Texts, Pair]]:
    """Who goes through them while one leaves may pass over the next one."""
    for call in calls:
        further = call.rival or call.other
        if further is not None and has_listener(call.text) and call.can_precede:
            yield from (((call.text, further), alike(pair)) for pair in pairs)


def after_one_of(pair: Calls) -> Iterator[tuple[Texts, Pair]]:
    """Calls with arguments of their own, on an object where one of them has been before."""
    variants = dict.fromkeys((*with_other_arguments(pair), *with_new_arguments(pair)))
    for call, variant in product(dict.fromkeys(pair), variants):
        if call.can_precede:
            yield (call.text,), variant


def up_to_the_limit(pair: Calls, numbers: list[int]) -> Iterator[tuple[Texts, Pair]]:
    """So many calls that the next one reaches a number the class counts to."""
    calls = (call for call in dict.fromkeys(pair) if call.can_precede)
    for call, number in product(calls, numbers):
        yield (call.text,) * (number - 1), alike(pair)


def after_several(pair: Calls, numbers: list[int]) -> Iterator[tuple[Texts, Pair]]:
    """A few calls of its kind; so many, each with another argument, that the last two reach a number."""
    call, other = pair
    if call is not other or not call.can_precede:
        return
    yield from (((call.text,) * count, alike(pair)) for count in (FEW, FEW + 1))
    if varied(call.text, 1) == call.text:
        return
    for number in sorted({FEW + 1, *numbers}):
        each = tuple(varied(call.text, place) for place in range(number))
        yield each[:-FEW], (each[-2], each[-1])


def nearly_full(pairs: list[Calls]) -> Iterator[tuple[Texts, Pair]]:
    """Where there is room for one more of those that are made small."""
    yield from (
        ((one.text,) * (SIZE - 1), alike((one, other))) for one, other in pairs if one is other and one.can_precede
    )


def at_turns(calls: list[Call], pairs: list[Calls]) -> Iterator[tuple[Texts, Pair]]:
    """Calls with arguments with which their code takes another turn."""
    for one, other in pairs:
        if one is not other:
            yield from (((), (text, other.text)) for text in one.turns)
            yield from (((), (one.text, text)) for text in other.turns)
            continue
        yield from (((), (one.text, text)) for text in one.turns)
        yield from (((), pair) for pair in combinations_with_replacement(one.turns, 2))
        if one.can_precede:
            yield from (((text,), (text, text)) for text in one.turns)
    before = [text for call in calls if call.can_precede for text in call.turns]
    yield from (((text,), alike((one, other))) for text in before for one, other in pairs if one is other)


def with_more_arguments(calls: list[Call]) -> Iterator[tuple[Texts, Pair]]:
    """Calls that name what they could do without: against themselves, and against the others."""
    fuller = [Call(text) for call in calls for text in call.fuller]
    before: list[Texts] = [(), *((call.text,) for call in (*fuller, *calls) if call.can_precede)]
    yield from ((prefix, alike((call, call))) for call in fuller for prefix in before)
    for one, other in (*product(fuller, calls), *combinations(fuller, 2)):
        yield (), alike((one, other))
        if one.can_precede:
            yield (one.text,), alike((one, other))
