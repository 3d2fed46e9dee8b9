"""The audit as a whole: each pair raced, then refusals, crashes and sessions of the first one."""

import time
from collections import deque
from collections.abc import Generator
from contextlib import ExitStack, closing
from dataclasses import replace

from racehound.audit.budget import Budget
from racehound.audit.crash import crash_points
from racehound.audit.findings import Findings
from racehound.audit.isolation import isolation
from racehound.audit.judge import is_incidental
from racehound.audit.locks import changed_outside, locks_taken, mapped, only_grown
from racehound.audit.plan import schedules_in
from racehound.audit.points import CHANGES, READING, shared_paths
from racehound.audit.preparing import PreparationFailed, always_failing, check_usable, prepared
from racehound.audit.refusal import Answer, answer_to, cancellations
from racehound.audit.request import AuditRequest, Progress, Watch
from racehound.audit.sampling import race_at_random
from racehound.audit.schedule import Schedule
from racehound.audit.search import Conflict, Search, different
from racehound.audit.serial import Serial
from racehound.audit.stage import Stage, recorded
from racehound.audit.template import Pair
from racehound.audit.tokens import Recipe
from racehound.audit.versions import version_of
from racehound.audit.views.formats import CONTENT, UNORDERED
from racehound.errors import UsageError
from racehound.model.audit import PairText
from racehound.processes.backend import Backend, choose, unsupported
from racehound.processes.fence import Fence
from racehound.processes.sandbox import OutOfTime

SEARCH_SHARE = 0.6
RESERVE = 0.15
MOST_ANSWERS = 2
MORE_PATIENCE = 3
ORDERS = 4
"""Both commands are run one after the other so often before any schedule."""
LEAST_SCHEDULES = 2
"""The most telling place of each command."""
TURNS = (0, 2, 0, 1)
"""Whose most telling places are tried first; a race of the same key twice shows with no other pair."""
AHEAD = ORDERS + 4
"""How often both commands run until the first schedule of a further pair has ended, and is believed."""
AHEAD_SHARE = 0.2


def examine(request: AuditRequest, watch: Watch) -> Findings:
    """Race every pair of the request; what is learned of the tool comes from the first pair that tells it."""
    examination = Examination(request, watch)
    with ExitStack() as stack:
        studies = [stack.enter_context(closing(examination.race(pair))) for pair in request.pairs]
        if len(studies) == len(TURNS) - 1:
            for number in TURNS:
                if not number or examination.looks_ahead:
                    next(studies[number], None)
        for study in studies:
            deque(study, maxlen=0)
    return examination.concluded()


class Examination:
    def __init__(self, request: AuditRequest, watch: Watch) -> None:
        self.findings = Findings()
        self._request = request
        self._watch = watch
        self._budget = Budget(request.seconds, request.rounds)
        self._backends: tuple[Backend, ...] = ()
        self._pace = 0.0
        """Seconds that the commands of the last pair took, one after the other."""
        self._searched = 0
        """How many pairs are being searched, or were, beyond their most telling places."""
        self._unprepared: PreparationFailed | None = None

    @property
    def looks_ahead(self) -> bool:
        """Whether the best places of all pairs come before the rest of any: nothing broke, and it costs little."""
        found, needed = self.findings, 2 * AHEAD * self._pace / AHEAD_SHARE
        return bool(found.pairs) and not found.tally.violations and self._budget.has(needed)

    def concluded(self) -> Findings:
        found, order = self.findings, [pair.name for pair in self._request.pairs]
        if not found.pairs and self._unprepared:
            raise UsageError(
                str(self._unprepared), hint="let --setup CMD make what the command needs"
            ) from self._unprepared
        found.pairs.sort(key=lambda pair: order.index(pair.name))
        return found

    def race(self, pair: Pair) -> Generator[None, None, None]:
        """Comes back after its most telling places, and once more a little later."""
        if self.findings.pairs and self._is_too_late(pair):
            return
        try:
            with prepared(pair, self._request, self._backends, self._budget.deadline) as bare:
                self._backends = bare.backends
                self._name_backend(bare)
                self._watch(Progress(f"{pair.name}: one after the other", 0, 0))
                stage, serial = recorded(bare, self._budget)
                self._pace = stage.pace
                check_usable(serial, stage)
                yield from self._study(pair, stage, serial)
        except OutOfTime:
            self._name(pair)
            self.findings.cut_short.append(f"the time of {self._request.seconds:g} seconds ended in “{pair.name}”")
        except PreparationFailed as error:
            self.findings.notes.append(f"“{pair.name}” was left out: {error}")
            self._unprepared = error

    def _is_too_late(self, pair: Pair) -> bool:
        """A pair takes its serial orders and one schedule at least."""
        if self._budget.is_spent:
            self.findings.cut_short.append(f"{self._budget.why_spent} was spent before “{pair.name}”")
            return True
        return not self._has_time(f"“{pair.name}”", (ORDERS + 1) * self._pace)

    def _has_time(self, what: str, seconds: float) -> bool:
        """What cannot end in time is not begun, and the report says so."""
        if self._budget.has(seconds):
            return True
        self.findings.cut_short.append(f"there was no time left for {what}")
        return False

    def _study(self, pair: Pair, stage: Stage, serial: Serial) -> Generator[None, None, None]:
        found, request = self.findings, self._request
        self._look(serial, stage.sandbox.fence)
        failing = list(always_failing(serial, stage))
        found.failing = found.failing or bool(failing)
        found.notes += [note for note in failing if note not in found.notes]
        setup = self._name(pair).setup
        recipe = Recipe(
            first=pair.first, second=pair.second, setup=setup, view=request.view, directory=request.directory
        )
        search = Search(pair.name, stage, serial, recipe, found.tally, self._budget)
        if choose(stage.backends) is None:
            race_at_random(search, self._budget.part(SEARCH_SHARE, step=stage.pace), self._tell(pair.name))
            found.masked.update(search.serial.mask.listed)
            return
        yield from self._search(search)
        if not found.answers:
            self._ask(search, search.waits, search.refusals)
        if found.crashes is None:
            self._crash(search)
            if self._has_time("whether sessions are kept apart", stage.pace):
                found.isolation = isolation(stage, search.serial, request.session_flag)
                found.tool_version = version_of(stage)

    def _name(self, pair: Pair) -> PairText:
        setup = (*self._request.setup, *pair.prepare)
        named = PairText(name=pair.name, first=pair.first, second=pair.second, setup=setup)
        if named not in self.findings.pairs:
            self.findings.pairs.append(named)
        return named

    def _crash(self, search: Search) -> None:
        budget = self._budget.time(SEARCH_SHARE, step=search.stage.pace)
        points, left = crash_points(search.stage, search.serial, budget, self._tell("crash points"))
        if left:
            self.findings.cut_short.append(f"{budget.why_spent} was spent with {left} crash points left")
        self.findings.crashes = points if points or not left else None

    def _name_backend(self, stage: Stage) -> None:
        found = self.findings
        chosen = choose(stage.backends)
        if chosen is not None:
            found.backend, found.limits = chosen.name, (*chosen.limits, stage.sandbox.fence.limit)
            return
        found.backend = "nothing: calls were raced at random"
        reasons = "; ".join(f"{backend.name}: {backend.why_not}" for backend in stage.backends) or unsupported()
        found.undecided = f"commands cannot be stopped on this system ({reasons})"

    def _search(self, search: Search) -> Generator[None, None, None]:
        """With `--deep`, too, the schedules come first that are tried without."""
        usual, further = self._schedules(search.stage, search.serial)
        least = 0 if self._budget.done else LEAST_SCHEDULES
        done = 0
        for size in (1, 1) if self._budget.done else (LEAST_SCHEDULES, 1):
            chosen = usual[done : done + size]
            done += self._run(search, chosen, self._part(search), least)[0]
            yield
        self._searched += 1
        begun = time.monotonic()
        more, why = self._run(search, usual[done:], self._part(search))
        done += more
        others = self._pairs_left() - 1
        if further:
            reserve = others * (time.monotonic() - begun)
            share = self._budget.part(SEARCH_SHARE / (others + 1), step=search.stage.pace, reserve=reserve)
            more, why = self._run(search, further, share)
            done += more
        if self._budget.is_counted_out:
            why = self._budget.why_spent
        if done < len(usual) + len(further):
            self.findings.cut_short.append(
                f"{why} was spent after {done} of {len(usual) + len(further)} schedules of “{search.name}”"
            )
        self.findings.masked.update(search.serial.mask.listed)
        self.findings.incomparable |= _unread(search.serial)

    def _run(self, search: Search, schedules: list[Schedule], budget: Budget, least: int = 0) -> tuple[int, str]:
        """How many were tried, and what was spent if that is not all."""
        tried = search.tally.schedules
        search.run(schedules, budget, self._tell(search.name), least=least)
        done = search.tally.schedules - tried
        self._budget.done += done
        return done, budget.why_spent

    def _part(self, search: Search) -> Budget:
        return self._budget.part(SEARCH_SHARE, step=search.stage.pace)

    def _pairs_left(self) -> int:
        """With the one at hand."""
        return len(self._request.pairs) - self._searched + 1

    def _schedules(self, stage: Stage, serial: Serial) -> tuple[list[Schedule], list[Schedule]]:
        """The usual ones, and those that `--deep` adds.

        The pairs after the first differ from it in what they change; locks and reads were tried with it.
        """
        ranks = READING if len(self.findings.pairs) == 1 else CHANGES
        usual = schedules_in(serial, locks=stage.locks, ranks=ranks)
        if not self._request.deep:
            return usual, []
        known = set(usual)
        deep = schedules_in(serial, locks=stage.locks, deep=True)
        return usual, [schedule for schedule in deep if schedule not in known]

    def _look(self, serial: Serial, fence: Fence) -> None:
        """What the recorded calls say about the tool."""
        found = self.findings
        found.tally.limits.update((*serial.forward.first.limits, *serial.backward.second.limits))
        first, second = serial.forward.first.calls, serial.backward.second.calls
        shared = shared_paths(first, second)
        growing = only_grown((*first, *second)) & shared
        changing = (call for call in (*first, *second) if call.mutating and call.name != "mkdir")
        changed = {call.path for call in changing if call.path in shared}
        found.append_only |= bool(growing) and changed <= growing
        found.locked |= bool(locks_taken(first) & locks_taken(second))
        ours, theirs = changed_outside(first), changed_outside(second)
        found.outside |= ours | theirs
        found.kept_out |= {path for path in ours | theirs if fence.forbids(path)}
        found.unjudged |= ours & theirs
        changes = any(serial.alone(task) != serial.state(serial.base) for task in (0, 1))
        found.effective = found.effective or changes
        in_files = any(call.mutating and not call.outside for call in (*first, *second))
        found.elsewhere |= (
            self._request.view is not None and not in_files and (changes or bool(serial.mask.listed))
        )
        if not found.locked:
            found.unstoppable |= mapped(first) & mapped(second)

    def _ask(self, search: Search, waits: list[Conflict], refusals: list[Conflict]) -> None:
        """What a call that is kept out is told, and how it takes being cancelled."""
        found, patience = self.findings, self._request.patience
        for conflict in (*waits[:1], *different(refusals))[:MOST_ANSWERS]:
            if not self._has_time_to_ask(conflict.seconds + patience * (conflict in waits)):
                return
            self._watch(Progress(f"{search.name}: what the refused call says", 0, 0))
            answer = self._answer(search, conflict)
            if answer is not None:
                found.answers.append(answer)
            elif self._has_time_to_ask(conflict.seconds + patience):
                # Whoever gets through while the other is held has perhaps taken the lock from it.
                search.attempt(replace(conflict.schedule, hold=patience))
        if waits and self._has_time_to_ask(2 * waits[0].seconds):
            found.cancellations += cancellations(waits[0], search.stage, search.serial)

    def _answer(self, search: Search, conflict: Conflict) -> Answer | None:
        """Who tries again and again may have a limit that is longer than our patience."""
        patience = self._request.patience
        answer = answer_to(conflict, search.stage, search.serial, patience=patience)
        if answer is None or answer.gave_up or not answer.polls:
            return answer
        longer = MORE_PATIENCE * patience
        if not self._budget.has(conflict.seconds + longer + self._reserve):
            return answer
        return answer_to(conflict, search.stage, search.serial, patience=longer) or answer

    @property
    def _reserve(self) -> float:
        """The pairs still to come must not go without for what a call is told."""
        return RESERVE * self._request.seconds * (self._pairs_left() - 1)

    def _has_time_to_ask(self, seconds: float) -> bool:
        if self._has_time("what a call is told that is kept out", seconds + self._reserve):
            return True
        self.findings.unasked = True
        return False

    def _tell(self, stage: str) -> "Tell":
        return Tell(stage, self._watch)


class Tell:
    """Passes on how far one part has come."""

    def __init__(self, stage: str, watch: Watch) -> None:
        self._stage = stage
        self._watch = watch

    def __call__(self, done: int, total: int) -> None:
        self._watch(Progress(self._stage, done, total))


def _unread(serial: Serial) -> set[str]:
    """Files that both change and of which nothing is compared, as their one entry is masked."""
    runs = (serial.forward.first, serial.backward.second)
    ours, theirs = ({call.path for call in run.calls if call.mutating and not call.outside} for run in runs)
    masked = {name for name in serial.mask.values if not is_incidental(name)}
    small = {
        name.removesuffix(f": {UNORDERED}") for name in (*serial.forward.alone, *serial.forward.ending.entries)
    }
    return {
        path
        for path in ours & theirs
        if f"{path}: {CONTENT}" in masked and (path not in small or f"{path}: {UNORDERED}" in masked)
    }
