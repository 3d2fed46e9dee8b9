"""Imports of packages that are not installed here, so that the code that needs them can be raced all the same.

Racehound may be installed apart from the program. What of it is raced is its own code; nothing that was raced
beside something made up is called safe.
"""

import sys
import types
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any, Final

from racehound.model.proof import Proof, Verdict
from racehound.scenario.absent_locks import DOUBTS
from racehound.scenario.absent_objects import member

MOST: Final = 40
"""Packages that are made up for one program."""


class AbsentModule(types.ModuleType):
    """A module that has whatever it is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = member(f"{self.__name__.rpartition('.')[2]}.{name}", 1)
        setattr(self, name, found)
        return found


class AbsentPackages:
    """The packages that were missing so far; asked last of all who find modules."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        del path, target
        if not any(fullname == name or fullname.startswith(f"{name}.") for name in self.names):
            return None
        return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]  # it has what a loader needs

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return AbsentModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """There is nothing to run."""

    def make_up(self, error: ModuleNotFoundError, root: Path) -> bool:
        """Whether what is missing is a package that can be made up: none of the program, nor of Python."""
        missing = error.name or ""
        top = missing.partition(".")[0]
        is_own = (root / top).exists() or (root / f"{top}.py").exists()
        if not top or is_own or top in sys.stdlib_module_names or missing in self.names or len(self.names) >= MOST:
            return False
        self.names.append(missing)
        return True

    @property
    def packages(self) -> list[str]:
        """By the names under which they are installed, as far as these are those of their modules."""
        return list(dict.fromkeys(name.partition(".")[0] for name in self.names))

    def told_of(self, proof: Proof) -> Proof:
        """The proof, weaker and with a word about what was made up."""
        if not self.names:
            return proof
        said = f"not installed beside racehound, so made up: {', '.join(self.packages)}"
        if proof.verdict in (Verdict.SAFE, Verdict.BOUNDED):
            reason = f"no failure in {proof.executions} executions, but {said}"
            return replace(proof, verdict=Verdict.SAMPLED, reason=reason)
        if proof.verdict is Verdict.RACE and DOUBTS.never_held:
            reason = f"{DOUBTS.never_held[0]} may keep others out, and is {said}"
            return Proof(
                verdict=Verdict.INCONCLUSIVE, reason=reason, executions=proof.executions, oracle=proof.oracle
            )
        return replace(proof, reason=f"{proof.reason} ({said})")


ABSENT: Final = AbsentPackages()
