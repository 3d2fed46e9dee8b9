"""How sure it is that an update is lost, where another change comes between its read and its write."""

from functools import cached_property
from itertools import islice

from racehound.analysis.program import Program
from racehound.analysis.state.compound import is_interruptible, own_read
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.figures import begins_anew, goes_round, is_figure, is_only_logged
from racehound.analysis.state.meeting import Meetings
from racehound.analysis.threads.own_thread import knows_its_thread
from racehound.model.doubt import Doubt, Sureness
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.rules.state.guard_doubts import is_lock_for_others
from racehound.source.events import Acquire, Action, Call
from racehound.source.facts import ClassFacts, FunctionFacts

_MANY = 10
"""From so many changing fields on, a class is wide."""


class UpdateDoubts:
    """About the uses of one field: what is the same for all pairs of them is found out once."""

    def __init__(self, program: Program, owner: ClassFacts, uses: list[Use]) -> None:
        self._program = program
        self._owner = owner
        self._uses = uses
        sharing = program.shared.why(owner)
        self._claims = sharing is not None and sharing.claims
        self._is_meant = sharing is not None and sharing.is_meant

    def sureness(self, read: Use, write: Use, rival: Use) -> Sureness:
        sure = Meetings(self._program).certainty(self._owner, write.function, rival.function, self._uses)
        if sure.is_possible:
            return sure
        broken = is_interruptible(write.function, read.index, write.index)
        told = self.is_told(read, write)
        doubt = self._doubt_of_harm(write, rival, is_broken=broken)
        if doubt is None and self._is_looked_at_again(write):
            doubt = HarmDoubt.FAST_PATH
        if doubt is None and told and not sure.is_certain and not self._is_updated_under_lock:
            doubt = HarmDoubt.FIGURE
        if doubt is None and sure.is_likely:
            doubt = self._doubt_of_lock(write, rival, is_broken=broken)
        if doubt is None and TEARDOWN.match(write.function.name):
            doubt = MeetingDoubt.AT_THE_END
        if doubt is not None:
            return doubt.possible
        return HarmDoubt.FIGURE.likely if told and sure.is_certain else sure

    def _doubt_of_harm(self, write: Use, rival: Use, *, is_broken: bool) -> Doubt | None:
        if self._is_beside_another(write, rival, is_broken=is_broken):
            return HarmDoubt.FRESH_START
        if self._is_unbroken(is_broken=is_broken):
            return HarmDoubt.ONE_OF_MANY
        if self._is_figure and goes_round(self._uses):
            return HarmDoubt.GOES_ROUND
        if knows_its_thread(self._program, write.function, write.index):
            return MeetingDoubt.CHECKS_ITS_THREAD
        return HarmDoubt.CONVERTED if self._is_converted(write) else None

    def _is_looked_at_again(self, write: Use) -> bool:
        """True for `with lock: if self.version == seen:`, which stores only where nobody has come between."""
        decided_by = self._program.awaits.paths(write.function).decided_by
        return any(
            use.function is write.function and use.locks & write.locks and decided_by(use.index, write.index)
            for use in self._uses
            if use.touch.action in {Action.CHECK, Action.READ} and use.index < write.index
        )

    def _doubt_of_lock(self, write: Use, rival: Use, *, is_broken: bool) -> Doubt | None:
        """Where no two threads are known to come: whether what says that they come is about this field."""
        own = self._program.shared.is_own_thread(self._owner, write.function, rival.function)
        counted = own and (_is_update(rival) or not self._is_wide)
        if not counted and not self._is_held_to_it:
            return HarmDoubt.LOCK_ELSEWHERE
        if self._is_never_asked and not self._is_updated_under_lock:
            return HarmDoubt.FIGURE
        return self._doubt_of_notice(write, rival, is_broken=is_broken)

    def _is_converted(self, write: Use) -> bool:
        """True for `if isinstance(self.table, str): self.table = read(self.table)`, and for what a cache asks."""
        if any(
            (place.attributes or (place.root,))[-1] == "cached_property" for place in write.function.decorators
        ):
            return True
        decided_by = self._program.awaits.paths(write.function).decided_by
        return any(
            call.arguments and call.arguments[0].place == write.touch.place and decided_by(at, write.index)
            for at, call in write.function.calls_of("isinstance")
        )

    def is_told(self, read: Use, write: Use) -> bool:
        """True for a count by the way: whoever reads it is told a little less, and nothing else hangs on it."""
        broken = is_interruptible(write.function, read.index, write.index)
        figure = self._is_figure or (self._is_never_asked and not broken and self._is_changed_beside_calls)
        return figure or self._is_only_logged

    @cached_property
    def _is_figure(self) -> bool:
        return is_figure(self._program, self._owner, self._uses)

    @cached_property
    def _is_only_logged(self) -> bool:
        return not self._claims and is_only_logged(self._uses)

    @cached_property
    def _is_held_to_it(self) -> bool:
        """True if the class says that it is safe, or its lock has to do with the field.

        So it is where the field is updated under a lock, both set and read under one, or set or read under one
        that is for it alone, where several look at it and all hold one, where somebody waits for it, or where the
        lock is never taken. One that is taken for something else does not say that two come to update this.
        """
        if self._claims or self._is_updated_under_lock or (self._locked and self._is_read_under_lock):
            return True
        if self._is_always_read_under_lock or self._is_waited_for:
            return True
        if self._locked and not is_lock_for_others(self._program, self._owner, self._uses):
            return True
        reading = {use.function for use in self._uses if use.locks and not use.changes}
        bases = self._program.hierarchy.linear(self._owner)
        return (
            all(method in reading for base in bases for method in base.methods.values() if Acquire in method.holds)
            and not self._has_others_under_lock
        )

    @cached_property
    def _is_updated_under_lock(self) -> bool:
        return any(use.locks and use.changes and _is_update(use) for use in self._uses)

    @cached_property
    def _is_read_under_lock(self) -> bool:
        return any(use.locks and not use.changes for use in self._uses)

    @cached_property
    def _is_waited_for(self) -> bool:
        """True for `while self._left: self._condition.wait()`: who wakes the waiter has to hold the lock."""
        looks = [use for use in self._uses if use.locks and use.touch.action is Action.CHECK]
        return any(call.loop for use in looks for _, call in use.function.calls_of("wait"))

    @cached_property
    def _is_always_read_under_lock(self) -> bool:
        """True if several look at it and do not change it, each of them under a lock."""
        changing = {use.function for use in self._uses if use.changes}
        looks = [use for use in self._uses if use.function not in changing]
        return len({use.function for use in looks}) > 1 and all(use.locks for use in looks)

    def _is_unbroken(self, *, is_broken: bool) -> bool:
        """True for `self.count += 1`, one of many things that a class keeps which has no lock and claims nothing.

        With the GIL nothing comes between, and a thread that comes to a wide class need not come here.
        """
        return not self._is_meant and not is_broken and self._is_wide

    @cached_property
    def _is_wide(self) -> bool:
        fields = self._program.fields.of_class(self._owner).values()
        changed = (uses for uses in fields if any(use.changes for use in uses))
        return next(islice(changed, _MANY, None), None) is not None

    def _is_beside_another(self, write: Use, rival: Use, *, is_broken: bool) -> bool:
        """True if all that comes between is a fresh start, or a store of another kind that must hit an instant.

        Where the update itself runs in two threads, or is done under a lock elsewhere, or the class says that it
        is safe, nobody has to hit anything: then one of two equal steps is lost.
        """
        if rival.function is write.function or self._claims:
            return False
        stores = rival.touch.action in {Action.WRITE, Action.WRITE_ITEM}
        if not begins_anew(rival) and (is_broken or not stores):
            return False
        return not self._is_updated_under_lock

    @cached_property
    def _is_never_asked(self) -> bool:
        """True for a count that a class keeps beside its work, and that nothing but the counting looks at."""
        others = (item for item in self._program.fields.of_class(self._owner).values() if item is not self._uses)
        if not any(use.changes for item in others for use in item):
            return False
        counting = {use.function for use in self._uses if use.changes}
        return all(use.function in counting and use.touch.action is not Action.CHECK for use in self._uses)

    @cached_property
    def _is_changed_beside_calls(self) -> bool:
        return all(Call in use.function.holds for use in self._uses if use.changes)

    def _doubt_of_notice(self, write: Use, rival: Use, *, is_broken: bool) -> Doubt | None:
        """For `n += 1` in a class that has a lock for other things, where no thread is known to come."""
        if self._takes_lock_on_another_path(write):
            return HarmDoubt.CHOSEN
        if is_broken or self._locked or self._is_always_read_under_lock or self._is_waited_for:
            return None
        if not self._has_other_locked_fields:
            return None  # the lock is for nothing else
        known = any(self._program.contexts.of(use.function) for use in (write, rival))
        return None if self._claims or known else HarmDoubt.BY_THE_WAY

    @cached_property
    def _has_others_under_lock(self) -> bool:
        others = (item for item in self._program.fields.of_class(self._owner).values() if item is not self._uses)
        return any(use.locks for item in others for use in item)

    @cached_property
    def _has_other_locked_fields(self) -> bool:
        fields = self._program.fields.of_class(self._owner).values()
        return any(use.locks for uses in fields for use in uses if use.changes)

    def _takes_lock_on_another_path(self, write: Use) -> bool:
        """True if the function changes the field under a lock, but not in the same run as here without one."""
        locked = self._locked.get(write.function)
        if not locked or write.locks:
            return False
        reaches = self._program.awaits.paths(write.function).reaches
        return not any(reaches(min(at, write.index), max(at, write.index)) for at in locked)

    @cached_property
    def _locked(self) -> dict[FunctionFacts, list[int]]:
        """Where each function changes the field under a lock."""
        found: dict[FunctionFacts, list[int]] = {}
        for use in self._uses:
            if use.changes and use.locks:
                found.setdefault(use.function, []).append(use.index)
        return found


def _is_update(use: Use) -> bool:
    return own_read(use.function, use.index) is not None
