"""How sure it is that an update is lost, where another change comes between its read and its write."""

from functools import cached_property
from itertools import islice

from racehound.analysis.compound import is_interruptible, own_read
from racehound.analysis.endings import TEARDOWN
from racehound.analysis.fields import Use
from racehound.analysis.figures import begins_anew, goes_round, is_figure
from racehound.analysis.meeting import Meetings
from racehound.analysis.own_thread import knows_its_thread
from racehound.analysis.program import Program
from racehound.model.finding import Confidence
from racehound.rules.guard_doubts import is_lock_for_others
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

    def sureness(self, read: Use, write: Use, rival: Use) -> Confidence:
        sure = Meetings(self._program).certainty(self._owner, write.function, rival.function, self._uses)
        broken = is_interruptible(write.function, read.index, write.index)
        if sure is Confidence.POSSIBLE or self._is_beside_another(write, rival, is_broken=broken):
            return Confidence.POSSIBLE
        if self._is_unbroken(is_broken=broken) or (self._is_figure and goes_round(self._uses)):
            return Confidence.POSSIBLE
        if knows_its_thread(self._program, write.function, write.index):
            return Confidence.POSSIBLE  # one thread goes on from there
        if self._is_converted(write):
            return Confidence.POSSIBLE  # whoever comes second finds it done, or does the same
        told = self.is_told(read, write)
        if told and sure is not Confidence.CERTAIN and not self._is_updated_under_lock:
            return Confidence.POSSIBLE
        own = self._program.shared.is_own_thread(self._owner, write.function, rival.function)
        counted = own and (_is_update(rival) or not self._is_wide)
        if sure is Confidence.LIKELY and not counted and not self._is_held_to_it:
            return Confidence.POSSIBLE
        unheeded = self._is_never_asked and not self._is_updated_under_lock
        aside = unheeded or self._is_by_the_way(write, rival, is_broken=broken)
        if (sure is Confidence.LIKELY and aside) or TEARDOWN.match(write.function.name):
            return Confidence.POSSIBLE
        return Confidence.LIKELY if told else sure

    def _is_converted(self, write: Use) -> bool:
        """True for `if isinstance(self.table, str): self.table = read(self.table)`."""
        decided_by = self._program.awaits.paths(write.function).decided_by
        return any(
            call.arguments and call.arguments[0].place == write.touch.place and decided_by(at, write.index)
            for at, call in write.function.calls_of("isinstance")
        )

    def is_told(self, read: Use, write: Use) -> bool:
        """True for a count by the way: whoever reads it is told a little less, and nothing else hangs on it."""
        broken = is_interruptible(write.function, read.index, write.index)
        return self._is_figure or (self._is_never_asked and not broken and self._is_changed_beside_calls)

    @cached_property
    def _is_figure(self) -> bool:
        return is_figure(self._program, self._owner, self._uses)

    @cached_property
    def _is_held_to_it(self) -> bool:
        """True if the class says that it is safe, or its lock has to do with the field.

        So it is where the field is updated under a lock, both set and read under one, or set under one that is
        for it alone, or where the lock is never taken. One that is taken for something else does not say that two
        come to update this.
        """
        if self._claims or self._is_updated_under_lock or (self._locked and self._is_read_under_lock):
            return True
        if self._locked and not is_lock_for_others(self._program, self._owner, self._uses):
            return True
        bases = self._program.hierarchy.linear(self._owner)
        return not any(Acquire in method.holds for base in bases for method in base.methods.values())

    @cached_property
    def _is_updated_under_lock(self) -> bool:
        return any(use.locks and use.changes and _is_update(use) for use in self._uses)

    @cached_property
    def _is_read_under_lock(self) -> bool:
        return any(use.locks and not use.changes for use in self._uses)

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

    def _is_by_the_way(self, write: Use, rival: Use, *, is_broken: bool) -> bool:
        """True for `n += 1` in a class that has a lock for other things, where no thread is known to come."""
        if self._takes_lock_on_another_path(write):
            return True  # the author knows where it is needed
        if is_broken or self._locked:
            return False
        if not self._has_other_locked_fields:
            return False  # the lock is for nothing else
        return not self._claims and not any(self._program.contexts.of(use.function) for use in (write, rival))

    @cached_property
    def _has_other_locked_fields(self) -> bool:
        fields = self._program.fields.of_class(self._owner).values()
        return any(use.locks for uses in fields for use in uses if use.changes)

    def _takes_lock_on_another_path(self, write: Use) -> bool:
        """True if the function changes the field under a lock, but not in the same run as here without one."""
        locked = self._locked.get(write.function)
        if not locked:
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
