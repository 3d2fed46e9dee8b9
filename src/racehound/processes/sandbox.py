"""A private place in which commands run, at one path for all of them, and nothing is left of it afterwards."""

import tempfile
import time
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from racehound.processes.backend import Backend, unsupported
from racehound.processes.commons import NONE, Commons, furnish
from racehound.processes.environment import PLACES, environment
from racehound.processes.fence import Fence, writable
from racehound.processes.golden import Golden
from racehound.processes.keeping import Keeping
from racehound.processes.launch import block_of
from racehound.processes.plan import Answer, Plan
from racehound.processes.portable import PortableKeeping
from racehound.processes.room import room_in
from racehound.processes.slots import Slot, take_slot
from racehound.processes.trees import remove


class OutOfTime(Exception):
    """The time of a sandbox was over while a command ran, or before."""


class Sandbox:
    """Directories of a user who does not exist: `home`, `xdg`, `tmp` and `work`.

    Runs act on it as it stands; whoever wants equal starts calls `restore` before each.

    Args:
        variables: for the commands, beside the sandbox's own.
        backend: the name of the one that is to observe; by default the first that works.
        needed: texts that name what commands need of the places for everybody's temporary files.
        private: whether the sandbox has such places of its own, where the system allows it.
    """

    def __init__(
        self,
        variables: Mapping[str, str] | None = None,
        *,
        backend: str = "",
        needed: tuple[str, ...] = (),
        private: bool = True,
    ) -> None:
        self._needed = needed
        self._private = private
        self._commons = NONE
        self._variables = dict(variables or {})
        self._backend = backend
        self._slot: Slot | None = None
        self._keeping: Keeping | PortableKeeping | None = None
        self._golden: Golden | None = None
        self.deadline = float("inf")
        """Of the monotonic clock; nothing runs any longer."""

    def __enter__(self) -> Self:
        with room_in(Path(tempfile.gettempdir())):
            self._slot = take_slot()
        try:
            with room_in(self.root):
                self._furnish()
            self._keeping = PortableKeeping() if unsupported() else Keeping(self._slot, self._commons)
        except BaseException:
            self._slot.release()
            raise
        return self

    def _furnish(self) -> None:
        self.root.mkdir(mode=0o700)
        for place in sorted(set(PLACES.values())):
            (self.root / place).mkdir(mode=0o700, parents=True)
        if self._private and not unsupported():
            self._commons = furnish(self.root, self._needed, kept=writable())
        self.keep_as_golden()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.keeping.close()
        self.slot.release()

    @property
    def slot(self) -> Slot:
        if self._slot is None:
            raise AssertionError("a sandbox exists only inside its `with` block")
        return self._slot

    @property
    def keeping(self) -> Keeping | PortableKeeping:
        if self._keeping is None:
            raise AssertionError("a sandbox exists only inside its `with` block")
        return self._keeping

    @property
    def root(self) -> Path:
        return self.slot.box

    @property
    def work(self) -> Path:
        return self.root / "work"

    @property
    def home(self) -> Path:
        return self.root / "home"

    @cached_property
    def fence(self) -> Fence:
        """What commands are kept from."""
        return Fence(str(self.slot.directory), self.commons)

    @cached_property
    def commons(self) -> Commons:
        """The places for everybody's temporary files that commands have for themselves."""
        return self._commons if self.keeping.greeting.private else NONE

    @cached_property
    def environment(self) -> dict[str, str]:
        """The same for all commands."""
        return environment(self.root, self._variables)

    @cached_property
    def variables(self) -> str:
        """The environment in one piece."""
        return block_of(self.environment)

    @cached_property
    def start(self) -> str:
        """The directory in which commands are started."""
        return str(self.work)

    def backends(self) -> tuple[Backend, ...]:
        """All ways of observing, each tried here; the best first."""
        return self.keeping.backends()

    def perform(self, plan: Plan) -> Answer:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime
        answer = self.keeping.perform(plan._replace(backend=self._backend, timeout=min(plan.timeout, left)))
        if time.monotonic() >= self.deadline and not all(run.ended for run in answer.runs):
            raise OutOfTime
        return answer

    def keep_as_golden(self) -> None:
        """What is there now is what `restore` brings back."""
        store = self.slot.directory / "golden"
        if store.exists():
            remove(store)
        with room_in(self.root):
            self._golden = Golden(self.root, store, self._commons.mounted_on)

    def restore(self) -> None:
        if self._golden is not None:
            with room_in(self.root):
                self._golden.restore()
