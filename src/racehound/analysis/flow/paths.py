"""Which event of a function can come after which: branches that exclude each other, paths that end."""

from bisect import bisect_left, bisect_right
from itertools import islice

from racehound.source.events import Acquire, Bind, Call, Decision, Flow, Pause, Release, Touch
from racehound.source.facts import FunctionFacts


class Paths:
    def __init__(self, function: FunctionFacts, idle: frozenset[int] = frozenset()) -> None:
        """`idle`: awaits at which nobody else comes."""
        self._branches: list[tuple[tuple[int, int], ...]] = []
        """For each event the forks around it, with the number of the alternative."""
        self._leaves: list[int] = []
        self.pauses: list[int] = []
        """Awaits; a yield is none, for it gives way to the consumer alone."""
        self._loops: list[tuple[int, int]] = []
        """Forks that are loops, with the marker that follows them."""
        self._continued: dict[int, int] = {}
        """Forks inside a test, such as that of `and`, with the one that follows."""
        self._tests: set[int] = set()
        """Touches and calls that come first in a loop: in the test of a `while`, where it has one."""
        self._followed_by: dict[int, int | None] = {}
        """Tests that were asked about, with the branch that follows."""
        stack: list[tuple[int, int]] = []
        for index, event in enumerate(function.events):
            if event is Flow.JOIN:
                self._next_fork(function, stack.pop()[0], index)
            elif event is Flow.ALTERNATIVE:
                stack[-1] = (stack[-1][0], stack[-1][1] + 1)
            self._branches.append(tuple(stack))
            if event is Flow.FORK:
                stack.append((index, 0))
            elif event is Flow.LOOP and function.events[index - 1] is Flow.FORK:
                self._loops.append((index - 1, index))
                self._tests.update(_first(function, index + 1))
            elif event is Flow.LEAVE:
                self._leaves.append(index)
            elif isinstance(event, Pause) and not event.yields and index not in idle:
                self.pauses.append(index)

    def reaches(self, first: int, last: int) -> bool:
        """True if control can go from one event straight on to a later one."""
        if first >= last or self._exclude(first, last):
            return False
        return not any(first < leave < last and self._encloses(leave, first) for leave in self._leaves)

    def _exclude(self, first: int, last: int) -> bool:
        ours = dict(self._branches[first])
        return any(ours.get(fork, number) != number for fork, number in self._branches[last])

    def _encloses(self, outer: int, inner: int) -> bool:
        """True if the block of one event holds the other, directly or below."""
        around = self._branches[outer]
        return self._branches[inner][: len(around)] == around

    def pause_between(self, first: int, last: int) -> int | None:
        """The last await on a way from one event to another."""
        between = slice(bisect_right(self.pauses, first), bisect_left(self.pauses, last))
        for pause in reversed(self.pauses[between]):
            if self.reaches(first, pause) and self.reaches(pause, last):
                return pause
        return None

    def is_sure_before(self, first: int, last: int) -> bool:
        """True if a later event never happens without the earlier one."""
        return self.reaches(first, last) and self._encloses(first, last)

    def decided_by(self, check: int, act: int) -> bool:
        """True if the outcome of a test decides whether an event happens."""
        fork = self._fork_after(check)
        if fork is None or act <= fork:
            return False
        if any(known == fork for known, _ in self._branches[act]):
            return True
        around = self._branches[fork]
        ends = [leave for leave in self._leaves if fork < leave < act and (fork in dict(self._branches[leave]))]
        return bool(ends) and self._branches[act][: len(around)] == around

    def side(self, check: int, act: int) -> int | None:
        """The alternative that an event stands in, of the branch that a test decides; None behind the branch."""
        fork = self._fork_after(check)
        return None if fork is None else dict(self._branches[act]).get(fork)

    def is_loop_test(self, check: int) -> bool:
        """True if an event stands in the test of a `while` loop, or first in the body of one without a test."""
        return check in self._tests or any(fork < check == loop + 1 for fork, loop in self._loops)

    def loop_end(self, check: int) -> int | None:
        """Where the loop ends in whose test an event stands: behind that, the test has failed."""
        around = [fork for fork, loop in self._loops if loop < check and check in self._tests]
        inside = [fork for fork in around if any(known == fork for known, _ in self._branches[check])]
        if not inside:
            return None
        return next(
            (at for at in range(check, len(self._branches)) if inside[-1] not in dict(self._branches[at])), None
        )

    def _fork_after(self, check: int) -> int | None:
        """The branch that follows a test, seen past the small ones inside it."""
        if check not in self._followed_by:
            self._followed_by[check] = self._find_fork_after(check)
        return self._followed_by[check]

    def _find_fork_after(self, check: int) -> int | None:
        level = len(self._branches[check])
        inner = (item[-1][0] for item in islice(self._branches, check + 1, None) if item)
        fork = next((fork for fork in inner if fork > check and len(self._branches[fork]) <= level), None)
        while fork in self._continued:
            fork = self._continued[fork]
        return fork

    def _next_fork(self, function: FunctionFacts, fork: int, join: int) -> None:
        """Notes the fork that follows another with nothing done in between."""
        for index, event in enumerate(function.events[join + 1 : join + 3], join + 1):
            if event is Flow.FORK:
                self._continued[fork] = index
            elif isinstance(event, Touch | Call | Bind | Pause | Acquire | Release | Flow):
                return


def _first(function: FunctionFacts, index: int) -> range:
    """`while self.marker.exists()` touches the marker and then asks: the test is both."""
    end = index
    while end < len(function.events) and isinstance(function.events[end], Touch | Call):
        end += 1
    is_test = end < len(function.events) and isinstance(function.events[end], Decision)
    return range(index, end if is_test else index)
