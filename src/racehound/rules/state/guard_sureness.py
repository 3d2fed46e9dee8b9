"""How sure it is that two uses of a field, with no lock in common, meet and do harm."""

import re
from itertools import combinations

from racehound.analysis.locking.locksets import is_private
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.meaning.wrappers import is_handed_out
from racehound.analysis.program import Program
from racehound.analysis.state.compound import own_read
from racehound.analysis.state.discipline import functions, is_majority
from racehound.analysis.state.endings import RESETTING, TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.figures import begins_anew, is_figure
from racehound.analysis.state.meeting import Meetings
from racehound.analysis.state.pairs import Pair
from racehound.analysis.state.sharing import Sharing
from racehound.model.doubt import CERTAIN, Doubt, Sureness
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.rules.state.guard_doubts import weakness
from racehound.rules.state.guard_grounds import is_left_in_pieces, is_met, is_whole
from racehound.rules.state.guard_order import (
    is_arranged,
    is_before_its_section,
    is_fast_path,
    is_lock_of_beginning,
)
from racehound.rules.state.guard_values import is_value, stores_a_value
from racehound.source.events import Action, Call
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts


def _is_lent(program: Program, function: FunctionFacts) -> bool:
    """True for a private method that another class of the module calls: that class may hold the lock."""
    owner = function.owner
    if owner is None or not is_private(function) or not function.is_method:
        return False
    family = program.hierarchy.family(owner)
    strangers = (other for other in function.module.functions if other.owner not in family)
    return any(
        isinstance(event, Call) and event.method == function.name for other in strangers for event in other.events
    )


def _doubt_of_callers(
    program: Program, owner: ClassFacts | ModuleFacts, *functions: FunctionFacts
) -> MeetingDoubt | None:
    """Where the one that calls them may hold the lock, or is on a loop, or is not there."""
    meetings = Meetings(program)
    if meetings.are_called_on_loops(*functions):
        return MeetingDoubt.ON_LOOPS
    for item in functions:
        if is_handed_out(item):
            return MeetingDoubt.HANDED_OUT
        if _is_lent(program, item):
            return MeetingDoubt.LENT
        if program.mentions.is_unheard(item):
            return MeetingDoubt.UNHEARD
        if isinstance(owner, ClassFacts) and meetings.is_always_called_locked(owner, item):
            return MeetingDoubt.CALLED_LOCKED
    return None


def sureness(
    program: Program, owner: ClassFacts | ModuleFacts, sharing: Sharing | None, pair: Pair, uses: list[Use]
) -> Sureness:
    both = (pair.first.function, pair.second.function)
    doubt = _doubt_of_meeting(program, owner, pair)
    if doubt is not None:
        return doubt.possible
    if pair.lock and isinstance(owner, ClassFacts) and is_left_in_pieces(program, owner, pair, uses):
        return HarmDoubt.LEFT_IN_PIECES.likely
    doubt = _doubt_of_harm(program, owner, sharing, pair, uses)
    if doubt is not None:
        return doubt.possible
    if pair.both_change and program.shared.is_resolved(*both):
        return CERTAIN
    if _is_one_look(program, pair, uses) or _is_read_alone(program, owner, pair):
        return HarmDoubt.ONE_LOOK.possible
    if any(TEARDOWN.match(function.name) for function in both):
        return MeetingDoubt.AT_THE_END.possible
    claims = sharing is not None and sharing.claims
    values = stores_a_value(program, owner, pair, uses) or is_value(program, owner, pair, uses)
    if pair.lock and not claims and values:
        return HarmDoubt.VALUE.possible
    if pair.lock:
        return _sureness_of_lock(program, owner, pair, uses)
    counted = own_read(pair.first.function, pair.first.index) is not None
    return MeetingDoubt.BY_CLASS.likely if claims and counted else HarmDoubt.NO_CLAIM.possible


def _sureness_of_lock(program: Program, owner: ClassFacts | ModuleFacts, pair: Pair, uses: list[Use]) -> Sureness:
    """Likely if the lock is meant for the field, and the accused changes more than it adds."""
    meant = pair.first.changes if _is_named_for(program, pair) else _is_meant(pair, uses)
    if not (meant or pair.is_torn or is_majority(uses, pair.lock)):
        return HarmDoubt.FEW_LOCK_IT.possible
    if is_lock_of_beginning(uses, pair.lock):
        return MeetingDoubt.AT_THE_BEGINNING.possible
    if _is_restart(pair) and not is_met(program, owner, pair):
        return HarmDoubt.RESTART.possible
    if _only_adds(pair, uses):
        return HarmDoubt.ONLY_ADDS.possible
    resolved = program.shared.is_resolved(pair.first.function, pair.second.function)
    return HarmDoubt.ONE_LOOKS.likely if resolved else MeetingDoubt.BY_LOCK.likely


def _doubt_of_meeting(program: Program, owner: ClassFacts | ModuleFacts, pair: Pair) -> Doubt | None:
    both = (pair.first.function, pair.second.function)
    doubt: Doubt | None = None
    if isinstance(owner, ClassFacts) and not pair.lock:
        meetings = Meetings(program)
        steps = meetings.are_awaited_steps(owner, *both)
        doubt = MeetingDoubt.AWAITED_STEP if steps else meetings.doubt_of_sharing(owner, *both)
    doubt = doubt or _doubt_of_callers(program, owner, *both)
    return doubt or (HarmDoubt.BEFORE_SECTION if is_before_its_section(program, pair) else None)


def _doubt_of_harm(
    program: Program, owner: ClassFacts | ModuleFacts, sharing: Sharing | None, pair: Pair, uses: list[Use]
) -> Doubt | None:
    if is_fast_path(program, pair):
        return HarmDoubt.FAST_PATH
    if is_whole(pair):
        return HarmDoubt.WHOLE
    both = (pair.first.function, pair.second.function)
    at_work = program.shared.is_resolved(*both) or bool(program.contexts.on_shared_self(both[0]))
    doubt = weakness(pair, uses, is_met=at_work)
    if doubt is not None or not isinstance(owner, ClassFacts):
        return doubt
    if _is_of_changing_object(program, owner, pair):
        return HarmDoubt.CHANGING_OBJECT
    if is_figure(program, owner, uses):
        return HarmDoubt.FIGURE
    if is_arranged(program, owner, pair, uses):
        return HarmDoubt.ARRANGED
    return MeetingDoubt.BETWEEN_USES if not (sharing and sharing.claims) and _is_fresh_start(pair) else None


def _is_restart(pair: Pair) -> bool:
    """True if the section under the lock begins anew, most often between two runs."""
    named = RESETTING.match(outer_method(pair.second.function).name) is not None
    return named and begins_anew(pair.second) and not pair.is_torn


def _is_fresh_start(pair: Pair) -> bool:
    """True if no lock is known, and all that one of the two does is to begin anew, most often between two uses."""
    return pair.both_change and not pair.lock and any(map(begins_anew, (pair.first, pair.second)))


def _is_of_changing_object(program: Program, owner: ClassFacts, pair: Pair) -> bool:
    """True for `self._current.state`, where `_current` is now this object and now that one."""
    holder, *rest = pair.first.touch.place.attributes or ("",)
    return bool(rest) and any(use.changes for use in program.fields.of_class(owner).get(holder, ()))


def _is_one_look(program: Program, pair: Pair, uses: list[Use]) -> bool:
    """True if the accused takes one value, whole, which every section under the lock leaves behind whole."""
    if not pair.is_snapshot:
        return False
    if _asks_how_many(pair.first):
        return True
    held = [use for use in uses if use.changes and use.locks & pair.lock and use.touch.action is not Action.WRITE]
    return not any(
        one.function is other.function and program.awaits.paths(one.function).reaches(one.index, other.index)
        for one, other in combinations(held, 2)
        if not _asks_what_is_there(pair.first) or (_takes_out(one) and _puts(other))
    )


def _is_read_alone(program: Program, owner: ClassFacts | ModuleFacts, pair: Pair) -> bool:
    """True if no lock is known, and the other one reads this field once, and none that is changed with it."""
    if pair.lock or pair.second.changes or not isinstance(owner, ClassFacts):
        return False
    writer, reader = pair.first.function, pair.second.function
    together = [
        uses
        for uses in program.fields.of_class(owner).values()
        if any(use.function is writer and use.changes for use in uses)
    ]
    return sum(use.function is reader for uses in together for use in uses) == 1


def _asks_how_many(use: Use) -> bool:
    """True for `len(self.items)`, which is old as soon as it is told."""
    return use.touch.action is Action.READ and not use.touch.method and _is_given_to(use, _SIZE)


def _asks_what_is_there(use: Use) -> bool:
    """True for `key in table` and `set(table.keys())`, which hand out nothing that may be half filled."""
    keys = use.touch.method == "keys" and _is_given_to(use, _WHOLE)
    return keys or (use.touch.action is Action.CHECK and use.touch.key is not None)


def _is_given_to(use: Use, names: frozenset[str]) -> bool:
    """True if what is read goes into a call of one of these at once."""
    following = use.function.events[use.index + 1 : use.index + 3]
    return any(isinstance(event, Call) and event.method in names and event.receiver is None for event in following)


def _takes_out(use: Use) -> bool:
    return use.touch.action is Action.DELETE or use.touch.method in _TAKING


def _puts(use: Use) -> bool:
    return use.touch.action is Action.WRITE_ITEM or use.touch.method in _PUTTING


_SIZE = frozenset({"len", "bool"})
_WHOLE = frozenset({"set", "list", "tuple", "sorted", "frozenset", "len"})
_TAKING = frozenset({"pop", "popitem", "popleft", "remove", "discard", "clear"})
_PUTTING = frozenset({"add", "append", "appendleft", "setdefault", "insert", "update", "extend"})


def _is_named_for(program: Program, pair: Pair) -> bool:
    """True if the lock has the name of the field: `_outbuf_lock` and `_outbufs`."""
    field = pair.first.touch.place.attributes[:1] or (pair.first.touch.place.root,)
    stems = (
        _LOCK_WORD.sub("", str(lock).rpartition(".")[2]).strip("_") for lock in program.locksets.named(pair.lock)
    )
    return any(stem and field[0].strip("_").startswith(stem) for stem in stems)


_LOCK_WORD = re.compile(r"_*(r?lock|mutex|condition|cond|guard|semaphore)$", re.IGNORECASE)


def _is_meant(pair: Pair, uses: list[Use]) -> bool:
    """A change without the lock, where the lock is not merely held for something else at that moment."""
    locking = {use.function for use in uses if use.locks & pair.lock}
    return pair.first.changes and 3 * len(locking) >= len(functions(uses))


def _counts_on(use: Use) -> bool:
    """True for `self._stock[sku] -= n`, which undoes what somebody stores there between its two halves."""
    return use.touch.action is Action.WRITE_ITEM and own_read(use.function, use.index) is not None


def _only_adds(pair: Pair, uses: list[Use]) -> bool:
    """True for one atomic step that adds something, where nobody goes over the container or replaces it."""
    touch = pair.first.touch
    alone = [use for use in uses if use.function is pair.first.function]
    adds = touch.method in {"append", "appendleft", "add"} or touch.action is Action.WRITE_ITEM
    if not adds or own_read(pair.first.function, pair.first.index) is not None:
        return False
    if any(use.changes and _doing(use) != _doing(pair.first) for use in alone):
        return False  # it does more than one thing
    if any(use.index in touch.sources for use in alone):
        return False  # by what is there
    if touch.action is Action.WRITE_ITEM and any(_counts_on(use) for use in uses if use.locks & pair.lock):
        return False
    return not any(use.touch.action in {Action.ITERATE, Action.WRITE} for use in uses)


def _doing(use: Use) -> tuple[Action, str]:
    return use.touch.action, use.touch.method
