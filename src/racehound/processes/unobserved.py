"""Running a command without looking at its calls."""

from collections.abc import Mapping

from racehound.processes.launch import Launch, Started, spawn
from racehound.processes.observer import Event, Gone
from racehound.processes.reading import Trap


class Unobserved:
    """Nothing is ever stopped, so there is nothing to let go."""

    sees_results = False

    def launch(self, actor: int, launch: Launch) -> Started:
        del actor
        return spawn(launch)

    def descriptors(self) -> Mapping[int, int]:
        return {}

    def receive(self, actor: int) -> Event | None:
        raise AssertionError(f"command {actor} was stopped though nobody looks at it")

    def changed(self, process: int, status: int, cpu: float) -> Event | None:
        return Gone(process, status, cpu)

    def let(self, actor: int, trap: Trap, *, tell: bool) -> bool:
        raise AssertionError(f"command {actor} was stopped though nobody looks at it: {trap}, {tell}")

    def refuse(self, actor: int, trap: Trap, error: int) -> None:
        raise AssertionError(f"command {actor} was stopped though nobody looks at it: {trap}, {error}")

    def close(self) -> None:
        return
