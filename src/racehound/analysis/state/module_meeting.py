"""Who can meet whom at the variables of a module: its threads, its words and its locks tell."""

from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.discipline import usual_lock
from racehound.analysis.state.endings import RESETTING, TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.guarding import is_guarded, is_guarded_in_a_corner
from racehound.analysis.testfiles import is_in_a_test, is_test
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.source.facts import FunctionFacts, ModuleFacts


def are_claimed(owner: ModuleFacts, *functions: FunctionFacts) -> bool:
    """True if the module says that threads share it, and offers the functions to them."""
    claims = owner.claims_thread_safety and not is_test(owner)
    return claims and all(is_for_others(outer_method(item)) and not item.is_module_body for item in functions)


def is_for_others(function: FunctionFacts) -> bool:
    """True for a function of a module that other modules call."""
    outside = function.parent is None or function.parent.is_module_body
    return outside and not function.name.startswith("_")


def is_kept_under_lock(program: Program, owner: ModuleFacts, uses: list[Use], *functions: FunctionFacts) -> bool:
    """True for a variable that is changed under a lock between threads, which says that several come for it."""
    if any(item.is_module_body or _is_of_tests(program, item) for item in functions):
        return False
    lock = usual_lock(uses)
    locking = (use.function for use in uses if use.changes and use.locks & lock)
    if not is_guarded(uses) and not any(item in functions for item in locking):
        return False
    if any(use.function.is_async for use in uses if use.locks & lock):
        return False
    others = (each for each in program.fields.of_module(owner).values() if each is not uses)
    return not is_guarded_in_a_corner(uses, others)


def doubt_of_caller(program: Program, function: FunctionFacts) -> MeetingDoubt | None:
    """Where what calls it holds a lock, as far as is seen, or comes when nobody else does."""
    if program.mentions.is_unheard(function):
        return MeetingDoubt.UNHEARD
    if TEARDOWN.match(function.name):
        return MeetingDoubt.AT_THE_END
    if RESETTING.match(function.name):
        return MeetingDoubt.BETWEEN_USES
    calls = [item for item in program.callers.of(function) if not is_constructor(item.function)]
    if calls and all(item.function.is_module_body for item in calls):
        return MeetingDoubt.AT_IMPORT
    held = [program.locksets.at(item.function, item.at) for item in calls]
    return MeetingDoubt.CALLED_LOCKED if held and all(held) else None


def _is_of_tests(program: Program, function: FunctionFacts) -> bool:
    """A test comes when nobody else does, or sees to it."""
    return is_test(function.module) or is_in_a_test(program.hierarchy, function)
