"""The four checklists of an audit, answered from the findings and from what there is in the code.

A question whose rules did not run is not answered. One about something that the code does not have, such as
tasks, does not apply.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from racehound.model.checklist import Answer, Checklist, Question
from racehound.model.finding import Finding
from racehound.pipeline.census import Census
from racehound.source.events import Action

_SHARED = ("RH101", "RH102", "RH103", "RH105", "RH106", "RH107", "RH108", "RH109", "RH110", "RH111", "RH113")
_UNLOCKED = (*_SHARED, "RH114", "RH115", "RH116", "RH117", "RH118", "RH119", "RH301", "RH302")
_OUT_OF_ORDER = ("RH112", "RH120", "RH121", "RH122", "RH313", "RH314", "RH315", "RH317", "RH319", "RH406")
"""Several tasks use the same state; another order of steps mends it, not a lock."""
_OF_COLLECTIONS = ("RH101", "RH103", "RH108", "RH110")
_ON_COLLECTIONS = frozenset(
    action.value for action in (Action.ITERATE, Action.WRITE_ITEM, Action.MUTATE, Action.DELETE, Action.RESIZE)
)


def _is_about_collection(finding: Finding) -> bool:
    actions = {finding.first.action, finding.second.action}
    return finding.rule in _OF_COLLECTIONS or not _ON_COLLECTIONS.isdisjoint(actions)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    text: str
    rules: tuple[str, ...]
    """Findings of these speak for `found`, their absence against it."""
    found: Answer
    concerns: Callable[[Finding], bool] = lambda _: True
    """Which findings of these rules do."""
    is_problem: bool = True
    """False where the answer is a fact about the code, neither good nor bad."""
    applies: Callable[[Census], bool] = lambda census: census.is_concurrent
    missing: str = "nothing in the code runs concurrently"
    """Why the question does not apply."""
    also: Callable[[Census], Sequence[str]] = lambda _: ()
    """Places that speak for `found`, too."""


_CHECKLISTS: dict[str, tuple[_Item, ...]] = {
    "Shared Mutable State": (
        _Item(
            text="Is state accessed from multiple threads/coroutines?",
            rules=(*_UNLOCKED, *_OUT_OF_ORDER),
            found=Answer.YES,
            is_problem=False,
            also=lambda census: census.shared_state,
        ),
        _Item(text="Is access protected by locks?", rules=_UNLOCKED, found=Answer.NO),
        _Item(
            text="Are locks held during awaits?",
            rules=("RH303", "RH304"),
            found=Answer.YES,
            applies=lambda census: bool(census.locks and census.coroutines),
            missing="there are no locks, or no coroutines",
        ),
        _Item(
            text="Is lock ordering consistent?",
            rules=("RH201", "RH202", "RH203"),
            found=Answer.NO,
            applies=lambda census: bool(census.locks),
            missing="there are no locks",
        ),
        _Item(
            text="Are there module-level mutable globals?",
            rules=(),
            found=Answer.YES,
            is_problem=False,
            applies=lambda _: True,
            also=lambda census: census.globals,
        ),
    ),
    "Async Safety": (
        _Item(
            text="Are coroutines using shared instance variables?",
            rules=("RH301", "RH302"),
            found=Answer.YES,
            is_problem=False,
            applies=lambda census: bool(census.coroutines),
            missing="there are no coroutines",
            also=lambda census: census.awaited_state,
        ),
        _Item(
            text="Are there awaits between read and write of shared state?",
            rules=("RH301", "RH302"),
            found=Answer.YES,
            applies=lambda census: bool(census.coroutines),
            missing="there are no coroutines",
        ),
        _Item(
            text="Are background tasks tracked?",
            rules=("RH305",),
            found=Answer.NO,
            applies=lambda census: bool(census.tasks),
            missing="no tasks are started",
        ),
        _Item(
            text="Are exceptions from tasks handled?",
            rules=("RH305", "RH306"),
            found=Answer.NO,
            applies=lambda census: bool(census.tasks or census.threads),
            missing="no tasks are started",
        ),
        _Item(
            text="Is cleanup waiting for all tasks?",
            rules=("RH307",),
            found=Answer.NO,
            applies=lambda census: bool(census.tasks),
            missing="no tasks are started",
        ),
    ),
    "Dict/List Safety": (
        _Item(
            text="Is collection modified during iteration?",
            rules=("RH103", "RH104"),
            found=Answer.YES,
            applies=lambda census: bool(census.loops),
            missing="nothing that others could change is iterated",
        ),
        _Item(
            text="Is collection accessed without locks?",
            rules=_UNLOCKED,
            found=Answer.YES,
            concerns=_is_about_collection,
        ),
        _Item(text="Are keys checked before access?", rules=("RH101", "RH302"), found=Answer.YES),
        _Item(
            text="Is there a get() with default instead of []?",
            rules=("RH101",),
            found=Answer.NO,
            applies=lambda census: bool(census.gets) or census.is_concurrent,
        ),
    ),
    "Initialization Safety": (
        _Item(text="Is singleton initialization thread-safe?", rules=("RH106",), found=Answer.NO),
        _Item(text="Are class variables initialized safely?", rules=("RH106", "RH112"), found=Answer.NO),
        _Item(text="Is lazy initialization protected?", rules=("RH105", "RH106"), found=Answer.NO),
        _Item(
            text="Are asyncio primitives created in event loop?",
            rules=("RH308", "RH309"),
            found=Answer.NO,
            applies=lambda census: bool(census.primitives),
            missing="there are no asyncio primitives",
        ),
    ),
}
_OPPOSITE = {Answer.YES: Answer.NO, Answer.NO: Answer.YES}
_SHOWN = 5


def answer_checklists(findings: Sequence[Finding], census: Census, ran: Iterable[str]) -> tuple[Checklist, ...]:
    """All questions in their order; `ran` has the codes of the rules that were asked."""
    codes = frozenset(ran)
    return tuple(
        Checklist(title, tuple(_answer(item, findings, census, codes) for item in items))
        for title, items in _CHECKLISTS.items()
    )


def _answer(item: _Item, findings: Sequence[Finding], census: Census, ran: frozenset[str]) -> Question:
    behind = tuple(finding for finding in findings if finding.rule in item.rules and item.concerns(finding))
    places = item.also(census)
    if behind or places:
        return Question(
            text=item.text,
            answer=item.found,
            is_good=False if item.is_problem else None,
            reason=_because(behind, places),
            findings=behind,
        )
    if item.rules and not ran.intersection(item.rules):
        return _left_open(item, "the rules for it were not run")
    if not item.applies(census):
        return _left_open(item, item.missing)
    return Question(
        text=item.text,
        answer=_OPPOSITE[item.found],
        is_good=True if item.is_problem else None,
        reason="nothing was found that speaks against it" if item.found is Answer.NO else "none was found",
    )


def _left_open(item: _Item, reason: str) -> Question:
    return Question(text=item.text, answer=Answer.NOT_APPLICABLE, is_good=None, reason=reason)


def _because(findings: Sequence[Finding], places: Sequence[str]) -> str:
    named = list(places[:_SHOWN])
    if len(places) > _SHOWN:
        named.append(f"{len(places) - _SHOWN} more")
    count = f"{len(findings)} finding{'' if len(findings) == 1 else 's'}" if findings else ""
    return "; ".join(filter(None, (count, ", ".join(named))))
