import contextvars

from racehound import explore
from racehound.instrument.contexts import RunCall

LEVEL = contextvars.ContextVar("LEVEL", default=0)


class Worker:
    def __init__(self) -> None:
        self.context = contextvars.Context()
        self.levels: list[int] = []

    def deepen(self) -> None:
        before = LEVEL.set(LEVEL.get() + 1)
        self.levels.append(LEVEL.get())
        LEVEL.reset(before)

    def deepen_apart(self) -> None:
        contextvars.copy_context().run(self.deepen)

    def deepen_together(self) -> None:
        self.context.run(self.deepen)

    def look(self) -> int:
        return self.context.run(LEVEL.get)

    def look_from_outside(self) -> int | None:
        return self.context.get(LEVEL)


def test_every_thread_has_variables_of_its_own() -> None:
    for worker in (Worker.deepen, Worker.deepen_apart):
        result = explore(setup=Worker, workers=[worker, worker], invariant=lambda made: made.levels == [1, 1])

        assert result.verdict == "safe"


def test_context_that_two_threads_enter_is_raced() -> None:
    result = explore(setup=Worker, workers=[Worker.deepen_together, Worker.look])

    assert result.verdict == "race"
    assert "cannot enter context" in str(result.failure)


def test_what_a_shared_context_holds_is_not_observed() -> None:
    result = explore(setup=Worker, workers=[Worker.look_from_outside] * 2, invariant=lambda made: True)

    assert result.verdict == "sampled"
    assert "Context.get" in result.proof.reason


def test_a_context_is_used_as_usual_where_nothing_is_raced() -> None:
    assert RunCall(0, contextvars.Context().run)(LEVEL.get) == 0
