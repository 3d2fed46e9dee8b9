"""Classes that are taken and given back by two methods: locks, semaphores and gates that are made by hand.

    def acquire_read(self): ...
    def release_read(self): ...

Nobody gives back what nobody has taken: what becomes of a lock that is released first is no fault of it. From one
to the other is a block, at whose edges others may come in, as with `with`.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from racehound.model.proof import ScenarioText
from racehound.scenario.expressions import SUBJECT
from racehound.scenario.parts import PAUSE

_VERBS: Final = (("acquire", "release"), ("Acquire", "Release"), ("lock", "unlock"), ("Lock", "Unlock"))
_CALLED: Final = re.compile(r"^(?:await )?subject(?:\[\d+\])?\.(\w+)\(")


@dataclass(frozen=True, slots=True)
class Taking:
    """The methods of a class that give back, with those that take what they give."""

    takers: Mapping[str, str]

    def admits(self, scenario: ScenarioText) -> bool:
        """Whether everything that is given back may have been taken before, by whomever."""
        if not self.takers:
            return True
        before = [_name(call) for call in scenario.prefix]
        return self._is_in_order(before) and all(
            self._is_in_order([*before, *map(_name, task)]) for task in scenario.tasks
        )

    def in_blocks(self, calls: Sequence[str]) -> list[str]:
        """Without the halves of blocks, which say nothing that these do not."""
        halves = {*self.takers, *self.takers.values()}
        return [call for call in calls if _name(call) not in halves] if any(map(_is_block, calls)) else list(calls)

    def _is_in_order(self, names: list[str]) -> bool:
        return all(self.takers[name] in names[:at] for at, name in enumerate(names) if name in self.takers)

    def block(self, taken: str, giving: Callable[[str], Iterable[str]]) -> str | None:
        """From the call of a method that takes to that of the one that gives back; None for any other call.

        What may be refused is given back only if it was not.
        """
        givers = [giver for giver, taker in self.takers.items() if taker == _name(taken)]
        given = next((text for giver in givers for text in giving(giver)), None)
        if given is None or not taken.endswith("()"):
            return None
        taking = taken.replace(f"{SUBJECT}.", f"(held := {SUBJECT}).", 1)
        return f"((taken := {taking}), {PAUSE}, taken is False or {given.replace(f'{SUBJECT}.', 'held.', 1)})[0]"


def taking_of(kind: type | None) -> Taking:
    """None without a class, and for methods that must be told what to give back: a pool is no lock."""
    names = [] if kind is None else [name for name in dir(kind) if name[0] != "_"]
    pairs = {giver: name for name in names for giver in _givers(name) if giver in names}
    return Taking({giver: taker for giver, taker in pairs.items() if _needs_nothing(kind, giver)})


def _givers(taker: str) -> Iterable[str]:
    if "release" in taker.lower() or "unlock" in taker.lower():
        return []
    return [taker.replace(take, give) for take, give in _VERBS if take in taker]


def _needs_nothing(kind: type | None, name: str) -> bool:
    function = inspect.getattr_static(kind, name, None)
    if not inspect.isfunction(function):
        return False
    own = list(inspect.signature(function).parameters.values())[1:]
    named = (each for each in own if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD))
    return all(each.default is not each.empty for each in named)


def _is_block(call: str) -> bool:
    return call.startswith("((taken := ")


def _name(call: str) -> str:
    found = _CALLED.match(call)
    return found[1] if found else ""
