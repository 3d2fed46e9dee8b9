"""The outcomes that a correct pair of commands may have: those of the two serial orders."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from racehound.audit.ending import Ending
from racehound.audit.masking import Entries, Mask, State
from racehound.processes.outcome import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One serial run; `first` and `second` are the runs of A and of B, whichever went first."""

    alone: Entries
    """The state after the command that went first."""
    ending: Ending
    first: Run
    second: Run
    apart: Ending | None = None
    """The ending where what the first one left behind had died before the second began, if anything was left."""

    @property
    def bereft(self) -> Ending:
        """What the second one makes of it when nothing of the first is alive."""
        return self.apart or self.ending

    def read_as(self, change: Callable[[Entries], Entries]) -> "Order":
        """With every state changed in the same way."""
        return replace(
            self,
            alone=change(self.alone),
            ending=_changed(self.ending, change),
            apart=_changed(self.apart, change) if self.apart else None,
        )


def _changed(ending: Ending, change: Callable[[Entries], Entries]) -> Ending:
    return replace(ending, entries=change(ending.entries))


@dataclass(frozen=True, slots=True, kw_only=True)
class Serial:
    base: Entries
    forward: Order
    """The first command, then the second."""
    backward: Order
    """The second command, then the first."""
    mask: Mask
    again: tuple[Run, Run]
    """The first command and the second one in later runs of the order in which they go first."""

    def state(self, entries: Entries) -> State:
        return self.mask.apply(entries)

    @property
    def endings(self) -> tuple[Ending, Ending]:
        return self.forward.ending, self.backward.ending

    def alone(self, task: int) -> State:
        return self.state((self.forward, self.backward)[task].alone)

    def statuses(self, task: int) -> frozenset[int | None]:
        return frozenset((ending.first, ending.second)[task] for ending in self.endings)

    def widened(self, forward: Order, backward: Order) -> "Serial":
        """With what differs between these orders and the ones before masked."""
        mask = self.mask
        for old, new in ((self.forward, forward), (self.backward, backward)):
            mask = mask.widened(old.alone, new.alone).widened(old.ending.entries, new.ending.entries)
            if old.apart and new.apart:
                mask = mask.widened(old.apart.entries, new.apart.entries)
        return replace(self, mask=mask, again=(forward.first, backward.second))


def entries_of_both(serial: Serial) -> Mapping[tuple[str, str], int]:
    """What every serial order leaves: the least that must be there after any schedule."""
    forward, backward = (serial.state(ending.entries) for ending in serial.endings)
    return {entry: min(count, backward.get(entry, 0)) for entry, count in forward.items() if entry in backward}
