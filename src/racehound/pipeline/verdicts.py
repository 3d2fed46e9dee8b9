"""What the code answers to a question by itself, and the places that show it."""

from collections.abc import Sequence
from typing import NamedTuple

from racehound.model.checklist import Answer
from racehound.pipeline.census import Census, Making

_SHOWN = 5


class Verdict(NamedTuple):
    answer: Answer
    is_good: bool | None = None
    """None where it is neither good nor bad by itself."""
    reason: str = ""
    places: Sequence[object] = ()


def missing(reason: str) -> Verdict:
    return Verdict(Answer.NOT_APPLICABLE, None, reason)


def named(places: Sequence[object]) -> str:
    shown = [str(place) for place in places[:_SHOWN]]
    rest = [f"{len(places) - _SHOWN} more"] if len(places) > _SHOWN else []
    return ", ".join((*shown, *rest))


def shared_state(census: Census) -> Verdict:
    if not census.is_concurrent:
        return missing("nothing in the code runs concurrently")
    places = [state.at for state in census.shared]
    return Verdict(Answer.YES, None, "", places) if places else Verdict(Answer.NO, None, "none was found")


def protection(census: Census) -> Verdict:
    if not census.is_concurrent:
        return missing("nothing in the code runs concurrently")
    if not census.shared:
        return missing("no state is known to be shared")
    bare = [state.bare for state in census.shared if state.bare is not None]
    if bare:
        return Verdict(Answer.NO, None, "no lock is held where these are changed", bare)
    return Verdict(Answer.YES, True, "a lock is held at every change", [state.at for state in census.shared])


def held_awaits(census: Census) -> Verdict:
    if census.held_awaits:
        return Verdict(Answer.YES, None, "whoever wants the lock waits as long", census.held_awaits)
    if not (census.locks and census.coroutines):
        return missing("there are no locks, or no coroutines")
    return Verdict(Answer.NO, True, "none was found")


def lock_order(census: Census) -> Verdict:
    if not census.locks:
        return missing("there are no locks")
    return Verdict(Answer.YES, True, "no two orders were found")


def module_globals(census: Census) -> Verdict:
    return _there_are(census.globals)


def coroutine_state(census: Census) -> Verdict:
    return _there_are(census.of_coroutines) if census.coroutines else missing("there are no coroutines")


def _there_are(places: Sequence[object]) -> Verdict:
    return Verdict(Answer.YES, None, "", places) if places else Verdict(Answer.NO, None, "none was found")


def crossings(census: Census) -> Verdict:
    if not census.coroutines:
        return missing("there are no coroutines")
    if census.bare_crossings:
        return Verdict(Answer.YES, None, "with no lock all the way", census.bare_crossings)
    if census.locked_crossings:
        return Verdict(Answer.YES, True, "with a lock all the way", census.locked_crossings)
    return Verdict(Answer.NO, True, "none was found")


def tasks(census: Census) -> Verdict:
    if not census.tasks:
        return missing("no tasks are started")
    return Verdict(Answer.YES, True, "nothing was found that speaks against it, where they start", census.tasks)


def tasks_and_threads(census: Census) -> Verdict:
    if not census.tasks and census.threads:
        return Verdict(
            Answer.YES, True, "nothing was found that speaks against it, where they start", census.threads
        )
    return tasks(census)


def iteration(census: Census) -> Verdict:
    if not census.loops:
        return missing("nothing that others could change is iterated")
    return Verdict(Answer.NO, True, "none was found, where they are gone over", census.loops)


def collections(census: Census) -> Verdict:
    if not census.is_concurrent:
        return missing("nothing in the code runs concurrently")
    found = census.shared_collections
    if not found:
        return missing("no collection is known to be shared")
    bare = [state.bare_access for state in found if state.bare_access is not None]
    if bare:
        return Verdict(Answer.YES, None, "no lock is held where these are used", bare)
    return Verdict(Answer.NO, True, "a lock is held at every use", [state.at for state in found])


def key_checks(census: Census) -> Verdict:
    if census.key_checks:
        return Verdict(Answer.YES, None, "looked for, then used", census.key_checks)
    if not (census.gets or census.subscripts):
        return missing("no entry is asked for by a key")
    return Verdict(Answer.NO, None, "none is looked for first")


def gets(census: Census) -> Verdict:
    if census.gets:
        return Verdict(Answer.YES, True, "", census.gets)
    if census.subscripts:
        return Verdict(Answer.NO, None, "by [] only", census.subscripts)
    return missing("no entry is read by a key")


def singletons(census: Census) -> Verdict:
    return _made(census.singletons) if census.singletons else missing("there is no singleton")


def class_variables(census: Census) -> Verdict:
    if not (census.class_variables or census.late_class_variables):
        return missing("there are no class variables")
    if census.late_class_variables:
        return _made(census.late_class_variables)
    return Verdict(Answer.YES, True, "all are set as their classes are made")


def lazy_making(census: Census) -> Verdict:
    return _made(census.lazy) if census.lazy else missing("nothing is made when it is first asked for")


def _made(makings: Sequence[Making]) -> Verdict:
    bare = [making.at for making in makings if not making.is_locked]
    if bare:
        return Verdict(Answer.NO, None, "no lock is held where these are set", bare)
    return Verdict(Answer.YES, True, "under a lock", [making.at for making in makings])


def primitives(census: Census) -> Verdict:
    if not census.primitives:
        return missing("there are no asyncio primitives")
    if census.early_primitives:
        reason = "made before a loop runs, and bound to the one that waits for them first"
        return Verdict(Answer.NO, None, reason, census.early_primitives)
    return Verdict(Answer.YES, True, "nothing was found that speaks against it", census.primitives)
