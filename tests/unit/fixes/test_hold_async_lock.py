"""Coroutines that count on state across an await hold a lock of asyncio from the first touch to the last."""

from textwrap import dedent

import pytest

from drivers.command import ROOT, racehound
from racehound.fixes.hold_lock import try_to_hold_lock
from racehound.model.finding import Subject
from racehound.model.patch import Patch, Refusal, Safety


def patched(source: str, *fields: str, name: str | None = "Account", lock: str | None = None) -> Patch | Refusal:
    subject = Subject(path="m.py", class_name=name, functions=(), fields=fields, lock=lock, coroutines=True)
    return try_to_hold_lock(dedent(source), subject=subject, path="m.py")


def text_of(patch: Patch | Refusal) -> str:
    assert isinstance(patch, Patch), patch
    return patch.after


WITHDRAWAL = """\
    import asyncio

    class Account:
        def __init__(self):
            self.balance = 100

        async def withdraw(self, amount):
            print("asked")
            if self.balance >= amount:
                await asyncio.sleep(0)
                self.balance -= amount
            return amount

        async def balance_now(self):
            await asyncio.sleep(0)
            return self.balance
    """


def test_lock_is_made_with_the_object_and_held_from_the_first_touch_to_the_last() -> None:
    patch = patched(WITHDRAWAL, "balance")

    assert text_of(patch) == dedent("""\
        import asyncio

        class Account:
            def __init__(self):
                self.balance = 100
                self._lock = asyncio.Lock()

            async def withdraw(self, amount):
                print("asked")
                async with self._lock:
                    if self.balance >= amount:
                        await asyncio.sleep(0)
                        self.balance -= amount
                return amount

            async def balance_now(self):
                await asyncio.sleep(0)
                return self.balance
        """)
    assert isinstance(patch, Patch)
    assert patch.safety is Safety.SAFE
    assert patch.summary == "`Account` gets a lock of asyncio, `_lock`, held in `withdraw`"


def test_what_is_guarded_once_needs_no_further_lock() -> None:
    assert patched(text_of(patched(WITHDRAWAL, "balance")), "balance") == Refusal(
        "the state is guarded already, as far as its file shows"
    )


def test_lock_of_asyncio_that_others_hold_is_taken_and_one_between_threads_is_not() -> None:
    source = """\
        from asyncio import Lock, sleep
        import threading

        class Account:
            def __init__(self):
                self._mutex = threading.Lock()
                self._turn = Lock()
                self.balance = 100

            async def deposit(self, amount):
                async with self._turn:
                    self.balance += amount

            async def withdraw(self, amount):
                seen = self.balance
                await sleep(0)
                self.balance = seen - amount
        """

    assert "    async with self._turn:\n            seen = self.balance\n" in text_of(patched(source, "balance"))


def test_globals_of_a_module_get_a_lock_of_the_module() -> None:
    source = """\
        import asyncio

        total = 0

        async def add(amount):
            global total
            seen = total
            await asyncio.sleep(0)
            total = seen + amount
        """

    after = text_of(patched(source, "total", name=None))

    assert "total = 0\n_lock = asyncio.Lock()\n" in after
    assert "    global total\n    async with _lock:\n        seen = total\n" in after


def test_what_the_lock_is_held_across_and_what_cannot_wait_for_it_make_the_patch_unsafe() -> None:
    patch = patched(
        """\
        import asyncio

        class Account:
            def __init__(self, fetch):
                self.fetch = fetch
                self.balance = None

            async def load(self):
                if self.balance is None:
                    self.balance = await self.fetch()
                return self.balance

            def forget(self):
                self.balance = None
        """,
        "balance",
    )

    assert isinstance(patch, Patch)
    assert patch.safety is Safety.UNSAFE
    assert "held across `self.fetch`" in patch.summary
    assert "`forget` changes the state and, being no coroutine, cannot wait for the lock" in patch.summary


def test_what_speaks_against_any_lock_speaks_against_one_of_asyncio() -> None:
    below = "\nclass Joint(Account):\n    async def halve(self):\n        self.balance //= 2\n"
    patch = patched("import pickle\n" + dedent(WITHDRAWAL) + below, "balance")

    assert isinstance(patch, Patch)
    assert patch.safety is Safety.UNSAFE
    assert "can be neither pickled nor copied" in patch.summary
    assert "the subclass `Joint` uses the state without the lock" in patch.summary


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "        while self.busy:\n            await asyncio.sleep(1)\n        self.busy = True",
            "`enter` waits in a loop for what others do to the state",
        ),
        (
            "        self.busy = True\n        yield 1\n        self.busy = False",
            "`enter` gives values out in the middle; a lock must not be held across that",
        ),
        (
            "        self.busy = True\n        await self.leave()\n        self.busy = True",
            "a coroutine would wait for a lock that it holds itself",
        ),
        (
            "        self.busy += 1\n        await asyncio.sleep(1)\n        self.busy -= 1",
            "`self.busy` counts who is in `enter`; with a lock there is never more than one",
        ),
    ],
    ids=["polling", "generator", "re-entered", "counting"],
)
def test_no_lock_where_it_would_never_be_released_or_be_waited_for_by_its_holder(body: str, reason: str) -> None:
    source = (
        "import asyncio\n\nclass Account:\n    def __init__(self):\n        self.busy = False\n\n"
        f"    async def enter(self):\n{body}\n\n"
        "    async def leave(self):\n        self.busy = False\n"
    )

    assert patched(source, "busy") == Refusal(reason)


@pytest.mark.slow
def test_a_proven_race_between_coroutines_gets_a_proven_patch() -> None:
    example = ROOT / "examples" / "patterns" / "05_async_state_mutation" / "racy.py"
    run = racehound("hunt", example.relative_to(ROOT), "--prove", "--diff", "--format", "json")

    assert [(finding["rule"], finding["proof"]["verdict"]) for finding in run.findings] == [("RH301", "race")]
    assert "+        async with self._lock:" in run.findings[0]["patch"]["diff"]
    assert run.findings[0]["patch"]["proof"]["verdict"] == "safe"


def test_plain_functions_are_not_given_a_lock_of_asyncio() -> None:
    source = dedent("""\
        import asyncio as aio
        from dataclasses import dataclass, field

        @dataclass
        class Account:
            balance: int = 0
            turn: aio.Lock = field(default_factory=aio.Lock)

            def add(self, amount):
                self.balance += amount
        """)
    subject = Subject(path="m.py", class_name="Account", functions=(), fields=("balance",), lock="self.turn")

    assert try_to_hold_lock(source, subject=subject, path="m.py") == Refusal(
        "`turn` is a lock of asyncio, and not all that use the state are coroutines"
    )
