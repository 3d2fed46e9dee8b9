"""The questions of the four checklists: what their findings are, and what the code answers without any."""

from collections.abc import Callable
from dataclasses import dataclass

from racehound.model.checklist import Answer
from racehound.model.finding import Finding
from racehound.pipeline import verdicts
from racehound.pipeline.census import Census
from racehound.pipeline.verdicts import Verdict
from racehound.source.events import Action

_SHARED = ("RH101", "RH102", "RH103", "RH105", "RH106", "RH107", "RH108", "RH109", "RH110", "RH111", "RH113")
_UNLOCKED = (*_SHARED, "RH114", "RH115", "RH116", "RH117", "RH118", "RH119", "RH124", "RH301", "RH302")
_OUT_OF_ORDER = ("RH112", "RH120", "RH121", "RH122", "RH123", "RH313", "RH314", "RH315", "RH317", "RH319", "RH406")
"""Several tasks use the same state; another order of steps mends it, not a lock."""
_OF_COLLECTIONS = ("RH101", "RH103", "RH108", "RH110")
_ON_COLLECTIONS = frozenset(
    action.value for action in (Action.ITERATE, Action.WRITE_ITEM, Action.MUTATE, Action.DELETE, Action.RESIZE)
)


def _is_about_collection(finding: Finding) -> bool:
    actions = {finding.first.action, finding.second.action}
    return finding.rule in _OF_COLLECTIONS or not _ON_COLLECTIONS.isdisjoint(actions)


def _is_about_class(finding: Finding) -> bool:
    return finding.subject.class_name is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    text: str
    rules: tuple[str, ...]
    """Findings of these speak for `found`."""
    found: Answer
    judge: Callable[[Census], Verdict]
    """What the code says where there are none."""
    concerns: Callable[[Finding], bool] = lambda _: True
    """Which findings of these rules do."""
    is_problem: bool = True
    """False where the answer is a fact about the code, neither good nor bad."""


CHECKLISTS: dict[str, tuple[Item, ...]] = {
    "Shared Mutable State": (
        Item(
            text="Is state accessed from multiple threads/coroutines?",
            rules=(*_UNLOCKED, *_OUT_OF_ORDER),
            found=Answer.YES,
            judge=verdicts.shared_state,
            is_problem=False,
        ),
        Item(text="Is access protected by locks?", rules=_UNLOCKED, found=Answer.NO, judge=verdicts.protection),
        Item(
            text="Are locks held during awaits?",
            rules=("RH303", "RH304"),
            found=Answer.YES,
            judge=verdicts.held_awaits,
        ),
        Item(
            text="Is lock ordering consistent?",
            rules=("RH201", "RH202", "RH203"),
            found=Answer.NO,
            judge=verdicts.lock_order,
        ),
        Item(
            text="Are there module-level mutable globals?",
            rules=(),
            found=Answer.YES,
            judge=verdicts.module_globals,
            is_problem=False,
        ),
    ),
    "Async Safety": (
        Item(
            text="Are coroutines using shared instance variables?",
            rules=("RH301", "RH302"),
            found=Answer.YES,
            judge=verdicts.coroutine_state,
            concerns=_is_about_class,
            is_problem=False,
        ),
        Item(
            text="Are there awaits between read and write of shared state?",
            rules=("RH301", "RH302"),
            found=Answer.YES,
            judge=verdicts.crossings,
        ),
        Item(text="Are background tasks tracked?", rules=("RH305",), found=Answer.NO, judge=verdicts.tasks),
        Item(
            text="Are exceptions from tasks handled?",
            rules=("RH305", "RH306"),
            found=Answer.NO,
            judge=verdicts.tasks_and_threads,
        ),
        Item(
            text="Is cleanup waiting for all tasks?",
            rules=("RH305", "RH307"),
            found=Answer.NO,
            judge=verdicts.tasks,
        ),
    ),
    "Dict/List Safety": (
        Item(
            text="Is collection modified during iteration?",
            rules=("RH103", "RH104"),
            found=Answer.YES,
            judge=verdicts.iteration,
        ),
        Item(
            text="Is collection accessed without locks?",
            rules=_UNLOCKED,
            found=Answer.YES,
            judge=verdicts.collections,
            concerns=_is_about_collection,
        ),
        Item(
            text="Are keys checked before access?",
            rules=("RH101", "RH302"),
            found=Answer.YES,
            judge=verdicts.key_checks,
            concerns=_is_about_collection,
        ),
        Item(
            text="Is there a get() with default instead of []?",
            rules=("RH101",),
            found=Answer.NO,
            judge=verdicts.gets,
        ),
    ),
    "Initialization Safety": (
        Item(
            text="Is singleton initialization thread-safe?",
            rules=("RH106",),
            found=Answer.NO,
            judge=verdicts.singletons,
        ),
        Item(
            text="Are class variables initialized safely?",
            rules=("RH106", "RH112"),
            found=Answer.NO,
            judge=verdicts.class_variables,
            concerns=_is_about_class,
        ),
        Item(
            text="Is lazy initialization protected?",
            rules=("RH105", "RH106"),
            found=Answer.NO,
            judge=verdicts.lazy_making,
        ),
        Item(
            text="Are asyncio primitives created in event loop?",
            rules=("RH308", "RH309"),
            found=Answer.NO,
            judge=verdicts.primitives,
        ),
    ),
}
