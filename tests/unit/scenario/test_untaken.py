"""What no scenario came to is not called safe, and calls are made up that lead there."""

from pathlib import Path
from textwrap import dedent

import pytest

from racehound.model.finding import Confidence
from racehound.model.proof import Proof, Verdict
from racehound.pipeline.hunt import hunt
from racehound.pipeline.prove import prove_finding, prove_target

RACY = {
    "limit in the constructor": """
        import asyncio

        class Subject:
            def __init__(self):
                self.balance = 100

            async def withdraw(self, amount):
                if self.balance >= amount:
                    await asyncio.sleep(0)
                    self.balance -= amount
        """,
    "limit in the method": """
        import asyncio

        class Subject:
            def __init__(self):
                self.used = {}

            async def use(self, user, amount):
                if self.used.get(user, 0) + amount > 1000:
                    return False
                await asyncio.sleep(0)
                self.used[user] = self.used.get(user, 0) + amount
                return True
        """,
    "mode by its name": """
        import asyncio

        class Subject:
            def __init__(self):
                self.state = "idle"

            async def run(self, mode):
                if mode == "fast" and self.state == "idle":
                    await asyncio.sleep(0)
                    self.state = "busy"
                    return True
                return False
        """,
    "mode by a case": """
        import asyncio

        class Subject:
            def __init__(self):
                self.runs = 0

            async def run(self, mode):
                match mode:
                    case "slow":
                        seen = self.runs
                        await asyncio.sleep(0)
                        self.runs = seen + 1
        """,
    "key of what is there": """
        import asyncio

        class Subject:
            def __init__(self):
                self.stock = {"apple": 1}

            async def buy(self, item):
                if self.stock.get(item, 0) > 0:
                    await asyncio.sleep(0)
                    self.stock[item] -= 1
        """,
    "two different things, each of them there": """
        import threading

        class Subject:
            def __init__(self):
                self._lock = threading.Lock()
                self.accounts = {}

            def open(self, name, amount=0):
                with self._lock:
                    self.accounts[name] = amount

            def transfer(self, source, target, amount):
                if self.accounts[source] >= amount:
                    with self._lock:
                        self.accounts[source] -= amount
                        self.accounts[target] += amount
        """,
    "value from a call in the file": """
        import asyncio

        class Subject:
            def __init__(self):
                self.left = 7 * 7

            async def take(self, number):
                if self.left - number >= 0:
                    await asyncio.sleep(0)
                    self.left -= number

        async def main():
            subject = Subject()
            await asyncio.gather(subject.take(40), subject.take(40))
        """,
}
RACY |= {
    "member of an enumeration, and something optional": """
        import enum

        class Mode(enum.Enum):
            OFF = 0
            DIM = 1

        class Subject:
            def __init__(self):
                self.dimmed = 0

            def turn(self, mode: Mode, softly: bool = False):
                if mode is Mode.DIM and softly:
                    self.dimmed += 1
        """,
    "one of many options": """
        class Subject:
            def __init__(self):
                self.changes = 0

            def change(self, **options):
                for _ in options:
                    self.changes += 1
        """,
    "function that is told": """
        import threading
        from collections.abc import Callable

        class Subject:
            def __init__(self, on_full: Callable[[int], None] | None = None):
                self.on_full = on_full
                self.told = 0

            def add(self):
                if self.on_full:
                    self.told += 1
        """,
    "after a few calls": """
        import threading

        class Subject:
            def __init__(self):
                self.calls = 0
                self.late = 0
                self.lock = threading.Lock()

            def _count(self):
                self.late += 1

            def call(self):
                with self.lock:
                    self.calls += 1
                    late = self.calls > 2
                late and self._count()
        """,
    "keys of which each counts": """
        class Subject:
            def __init__(self):
                self.votes = {}
                self.decided = 0

            def vote(self, who: str):
                self.votes[who] = True
                if len(self.votes) == 3:
                    self.decided += 1
        """,
    "other spelling of the same": """
        import threading

        class Subject:
            def __init__(self):
                self.meta = threading.Lock()
                self.locks = {}
                self.seen = {}

            def see(self, name: str):
                with self.meta:
                    lock = self.locks.setdefault(name, threading.Lock())
                with lock:
                    key = name.lower()
                    self.seen[key] = self.seen.get(key, 0) + 1
        """,
}

SOUND = {
    "refusal of an argument": """
        import threading

        class Subject:
            def __init__(self):
                self._lock = threading.Lock()
                self.total = 0

            def add(self, amount: int):
                if not isinstance(amount, int) or amount < 0:
                    raise ValueError(amount)
                with self._lock:
                    self.total += amount
        """,
    "both ways": """
        import threading

        class Subject:
            def __init__(self):
                self._lock = threading.Lock()
                self._items = {}

            def get(self, key):
                with self._lock:
                    if key not in self._items:
                        self._items[key] = []
                    return self._items[key]
        """,
}
SOUND |= {
    "helper that needs the lock of who calls it": """
        import threading

        class Subject:
            def __init__(self):
                self.items = {}
                self.evicted = 0
                self.lock = threading.Lock()

            def _evict(self):
                if len(self.items) > 2:
                    self.items.pop(next(iter(self.items)))
                    self.evicted += 1

            def put(self, key: str):
                with self.lock:
                    self.items[key] = 1
                    self._evict()
        """,
    "iterator whose items go to whoever asks": """
        import threading

        class Subject:
            def __init__(self):
                self.left = 3
                self.lock = threading.Lock()

            def __iter__(self):
                return self

            def __next__(self):
                with self.lock:
                    if not self.left:
                        raise StopIteration
                    self.left -= 1
                    return self.left
        """,
}

UNSEEN = {
    "`_rare` was never called": """
        class Subject:
            def __init__(self):
                self.calls = 0

            def _rare(self):
                self.calls += 1

            def _usual(self):
                pass

            def call(self, number: int = 0):
                {5: self._rare}.get(number, self._usual)()
        """,
    "`token in self.sessions` was never true (line 7)": """
        class Subject:
            def __init__(self):
                self.sessions = {}

            def touch(self, token):
                if token in self.sessions:
                    self.sessions[token].touch()
        """,
    "`self.listeners` never had an item (line 7)": """
        class Subject:
            def __init__(self):
                self.listeners = []

            def tell(self):
                for listener in self.listeners:
                    listener()
        """,
    "`OSError` was never caught (line 10)": """
        class Subject:
            def __init__(self):
                self.failures = 0
                self.tries = []

            def work(self):
                try:
                    self.tries.clear()
                except OSError:
                    self.failures += 1
        """,
    "`self.tries and (not self.done)` was never true (line 8)": """
        class Subject:
            def __init__(self):
                self.tries = []
                self.done = False

            def work(self):
                while self.tries and not self.done:
                    self.tries.pop()
        """,
}


HELD_UP = """
        import threading

        class Subject:
            def __init__(self):
                self.lock = threading.Lock()
                self.count = 0

            def outer(self):
                with self.lock:
                    self.inner()

            def inner(self):
                with self.lock:
                    self.count += 1
    """


ASKED = "`token in self.sessions` was never true (line 7)"


def proof_of(source: str, directory: Path) -> Proof:
    path = directory / "subject.py"
    path.write_text(dedent(source), encoding="utf-8")
    return prove_target(f"{path}::Subject", budget=20.0)


@pytest.mark.measured_children
@pytest.mark.parametrize("name", RACY)
def test_arguments_are_found_that_lead_where_no_call_came_to(name: str, tmp_path: Path) -> None:
    assert proof_of(RACY[name], tmp_path).verdict is Verdict.RACE


@pytest.mark.parametrize("name", SOUND)
def test_a_class_all_of_whose_ways_were_gone_is_safe(name: str, tmp_path: Path) -> None:
    assert proof_of(SOUND[name], tmp_path).verdict is Verdict.SAFE


@pytest.mark.measured_children
@pytest.mark.parametrize("told", UNSEEN)
def test_what_was_never_gone_is_told_instead_of_safe(told: str, tmp_path: Path) -> None:
    proof = proof_of(UNSEEN[told], tmp_path)

    assert proof.verdict is Verdict.SAMPLED
    assert told in proof.reason
    assert "--op" in proof.reason


def test_who_waits_for_himself_is_told_instead_of_safe(tmp_path: Path) -> None:
    proof = proof_of(HELD_UP, tmp_path)

    assert proof.verdict is Verdict.SAMPLED
    assert "waits for ever for a lock that it has taken itself" in proof.reason


def test_what_the_user_says_is_to_be_raced_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "subject.py"
    path.write_text(dedent(UNSEEN[ASKED]), encoding="utf-8")

    proof = prove_target(f"{path}::Subject", budget=20.0, operations=["subject.touch('a')"])

    assert proof.verdict is Verdict.SAFE


SINGLETON = """
class Subject:
    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance


DEFAULT = Subject()
"""


def test_what_the_import_has_gone_through_is_not_what_was_raced(tmp_path: Path) -> None:
    path = tmp_path / "subject.py"
    path.write_text(SINGLETON, encoding="utf-8")
    findings, _, _ = hunt([path], confidence=Confidence.POSSIBLE, select=["RH106"])

    proofs = [prove_finding(each, budget=20.0) for each in findings]

    assert [proof.verdict for proof in proofs] == [Verdict.SAMPLED]
    assert "`cls._instance is None` was never true (line 6)" in proofs[0].reason
