"""Where a lock held around the body would be wrong, there is no patch."""

from textwrap import dedent

import pytest

from racehound.fixes.hold_lock import hold_lock, try_to_hold_lock
from racehound.model.finding import Subject
from racehound.model.patch import Patch, Refusal, Safety


def patch_of(source: str, *, name: str | None = "Meter", fields: str = "total", lock: str | None = None) -> object:
    subject = Subject(path="m.py", class_name=name, functions=(), fields=(fields,), lock=lock)
    return hold_lock(dedent(source), subject=subject, path="m.py")


REFUSED = {
    "a loop changes what it goes over by way of a method": """
        import threading
        class Meter:
            def __init__(self):
                self._lock = threading.Lock()
                self.total = {}
            def drop(self, name):
                with self._lock:
                    self.total.pop(name, None)
            def tell(self):
                for name, told in self.total.items():
                    if not told():
                        self.drop(name)
        """,
    "a coroutine must not hold a thread's lock": """
        class Meter:
            async def add(self):
                self.total += 1
        """,
    "a generator would hold the lock while it is suspended": """
        class Meter:
            def add(self):
                self.total += 1
                yield self.total
        """,
    "generators are seen in assignments, too": """
        class Meter:
            def add(self):
                self.total = yield from range(3)
        """,
    "reading the lock would call the method again": """
        class Meter:
            def __getattr__(self, name):
                self.total += 1
        """,
    "slots that are computed cannot be extended": """
        class Meter:
            __slots__ = NAMES
            def __init__(self):
                self.total = 0
            def add(self):
                self.total += 1
        """,
    "a named tuple has no initializer": """
        class Meter(NamedTuple):
            def add(self):
                self.total += 1
        """,
    "an unknown decorator may write the initializer": """
        @define
        class Meter:
            total: int
            def add(self):
                self.total += 1
        """,
    "the base uses the state": """
        class Base:
            def __init__(self):
                self.total = 0
            def clear(self):
                self.total = 0
        class Meter(Base):
            def add(self):
                self.total += 1
        """,
    "the class does not exist": """
        class Other:
            pass
        """,
}


@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED)
def test_no_patch(source: str) -> None:
    assert patch_of(source) is None


MIXED_TABS = "if True:\n        x = 1\nclass Meter:\n    def add(self):\n\t    self.total += 1\n"
DEEP = f"x = {'+'.join('1' * 600)}\nclass Meter:\n    def add(self):\n        self.total += 1\n"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (MIXED_TABS, "the file has a layout that cannot be rewritten, such as tabs among spaces"),
        (DEEP, "the file is nested too deeply to be rewritten"),
        (REFUSED["the class does not exist"], "there is no class `Meter` in this file"),
        ("class Meter: pass", "the state is guarded already, as far as its file shows"),
    ],
)
def test_reason_is_given(source: str, reason: str) -> None:
    subject = Subject(path="m.py", class_name="Meter", functions=(), fields=("total",))

    assert try_to_hold_lock(dedent(source), subject=subject, path="m.py") == Refusal(reason)
    assert hold_lock(dedent(source), subject=subject, path="m.py") is None


def test_lock_acquired_by_hand_is_left_to_a_person() -> None:
    source = """
        import threading
        class Meter:
            def __init__(self):
                self._lock = threading.Lock()
                self.total = 0
            def add(self):
                self.total += 1
                self._lock.acquire()
                try:
                    self.total += 1
                finally:
                    self._lock.release()
        """

    assert patch_of(source, lock="_lock") is None


def test_lock_acquired_by_hand_around_everything_is_enough() -> None:
    source = """
        import threading
        class Meter:
            def __init__(self):
                self._lock = threading.Lock()
                self.total = 0
            def add(self):
                self._lock.acquire()
                try:
                    self.total += 1
                finally:
                    self._lock.release()
        """

    assert patch_of(source) is None


def test_lock_that_the_file_does_not_know_is_not_used() -> None:
    source = """
        class Meter:
            def add(self):
                self.total += 1
        """

    assert patch_of(source, lock="_mystery") is None


def test_lock_made_elsewhere_is_not_taken_twice() -> None:
    source = """
        class Meter:
            def add(self):
                self.total += 1
                self.add()
            def clear(self):
                with self._lock:
                    self.total = 0
        """

    assert patch_of(source, lock="self._lock") is None


def test_class_method_cannot_hold_the_lock_of_an_instance() -> None:
    source = """
        import threading
        class Meter:
            total = 0
            def __init__(self):
                self._lock = threading.Lock()
            @classmethod
            def add(cls):
                cls.total += 1
        """

    assert patch_of(source, lock="_lock") is None


def test_lock_bound_to_a_name_is_left_to_a_person() -> None:
    source = """
        import threading
        class Meter:
            def __init__(self):
                self._lock = threading.Lock()
            def add(self):
                self.total += 1
                with self._lock as held:
                    self.total += held
        """

    assert patch_of(source, lock="_lock") is None


def test_module_without_functions_that_touch_the_global_needs_no_patch() -> None:
    assert patch_of("COUNT = 0\n", name=None, fields="COUNT") is None


def test_a_generator_that_looks_once_is_left_as_it_is_and_the_patch_says_so() -> None:
    source = dedent("""\
        class Meter:
            def __init__(self):
                self.total = 0

            def add(self):
                self.total += 1

            def values(self):
                yield self.total
        """)
    subject = Subject(path="m.py", class_name="Meter", functions=(), fields=("total",))

    patch = try_to_hold_lock(source, subject=subject, path="m.py")

    assert isinstance(patch, Patch)
    assert patch.safety is Safety.UNSAFE
    assert "held in `add`; `values`, which cannot hold a lock, looks at the state without it" in patch.summary
    assert patch.after.endswith("    def values(self):\n        yield self.total\n")


def test_loop_over_a_copy_may_change_what_was_copied() -> None:
    source = """
        import threading
        class Meter:
            def __init__(self):
                self._lock = threading.Lock()
                self.total = {}
            def drop(self, name):
                with self._lock:
                    self.total.pop(name, None)
            def tell(self):
                for name, told in list(self.total.items()):
                    if not told():
                        self.drop(name)
        """
    found = patch_of(source)

    assert isinstance(found, Patch)
    assert "RLock" in found.after
