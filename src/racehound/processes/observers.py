"""Observers by the name of their backend."""

from dataclasses import replace

from racehound.processes.backend import NOTIFY, PTRACE_FILTERED
from racehound.processes.notify import Listeners, NotifyObserver
from racehound.processes.observer import IsDull, Observer
from racehound.processes.starter import addresses_are_random
from racehound.processes.traced import TracedObserver
from racehound.processes.traps import Wanted


class Observers:
    """Makes observers of each kind; what they share between runs is kept here."""

    def __init__(self) -> None:
        self._listeners = Listeners()
        self._random = addresses_are_random()

    def make(self, name: str, wanted: tuple[Wanted, ...], is_dull: IsDull) -> Observer:
        """`wanted` is what is to be seen of each command."""
        if name == NOTIFY:
            if not self._random:
                raise OSError("addresses are not randomized, so that commands look like the observer itself")
            return NotifyObserver(self._listeners, wanted, is_dull)
        everything = replace(wanted[0], only=None)
        return TracedObserver(everything, is_dull, filtered=name == PTRACE_FILTERED)
