"""Calls that do not name what they run, objects whose class no line names, are followed all the same."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule

POOL = """
    from concurrent.futures import ThreadPoolExecutor
    from app.parts import *

    def main(items):
        with ThreadPoolExecutor() as pool:
            pool.map(handle, items)
    """
COUNT = """
    class Count:
        def __init__(self):
            self.total = 0

        def add(self, item):
            self.total += 1
    """

FORMS = {
    "an entry of a table": """
    HANDLERS = {"count": Count()}

    def handle(item):
        HANDLERS[item].add(item)
    """,
    "an entry of a table, by a name": """
    HANDLERS = {"count": Count()}

    def handle(item):
        handler = HANDLERS.get(item)
        handler.add(item)
    """,
    "a method of the base": """
    class Doubled(Count):
        def add(self, item):
            super().add(item)

    doubled = Doubled()

    def handle(item):
        doubled.add(item)
    """,
    "a class that a decorator keeps one object of": """
    def single(cls):
        made = {}

        def make():
            if cls not in made:
                made[cls] = cls()
            return made[cls]

        return make

    @single
    class Only(Count):
        def add(self, item):
            self.total += 1

    def handle(item):
        Only().add(item)
    """,
    "an argument without a type": """
    counter = Count()

    def note(item, where):
        where.add(item)

    def handle(item):
        note(item, counter)
    """,
}


@pytest.mark.parametrize("form", FORMS)
def test_count_is_lost_by_threads_that_come_to_it(form: str) -> None:
    assert found("RH102", COUNT + FORMS[form])


def test_objects_of_their_own_are_quiet() -> None:
    fresh = FORMS["a class that a decorator keeps one object of"].replace("return made[cls]", "return cls()")

    assert not found("RH102", COUNT + fresh)


NUMBERS = """
    def counter(start):
        value = start

        def advance():
            nonlocal value
            value += 1
            return value

        return advance

    next_number = counter(1)

    def handle(item):
        return next_number()
    """
TABLE_OF_FUNCTIONS = """
    seen = 0

    def count(item):
        global seen
        seen += 1

    STEPS = {"count": count}

    def handle(item):
        STEPS[item](item)
    """


@pytest.mark.parametrize("code", [NUMBERS, TABLE_OF_FUNCTIONS], ids=["made by a factory", "kept in a table"])
def test_function_is_known_by_where_it_comes_from(code: str) -> None:
    assert found("RH102", code)


def test_function_that_each_call_makes_for_itself_is_quiet() -> None:
    own = NUMBERS.replace("    next_number = counter(1)\n", "").replace("next_number()", "counter(1)()")

    assert not found("RH102", own)


ORDERS = """
    import threading

    class Stock:
        def __init__(self):
            self._lock = threading.Lock()
            self._orders = None

        def attach(self, orders):
            self._orders = orders

        def write_off(self):
            with self._lock:
                self._orders.cancel()

        def reserve(self):
            with self._lock:
                pass

    class Orders:
        def __init__(self, stock: Stock):
            self._lock = threading.Lock()
            self.stock = stock
            stock.attach(self)

        def place(self):
            with self._lock:
                self.stock.reserve()

        def cancel(self):
            with self._lock:
                pass
    """


def test_lock_order_goes_by_what_a_method_was_given() -> None:
    assert found("RH201", ORDERS)
    assert not found("RH201", ORDERS.replace("stock.attach(self)", "pass"))


GAUGE = """
    import threading

    class Gauge:
        def __init__(self):
            self._lock = threading.Lock()
            self._value = 0

        def get(self):
            with self._lock:
                return self._value

        def set(self, value):
            with self._lock:
                self._value = value

        def take(self):
            with self._lock:
                self._value -= 1

    gauge = Gauge()
    outer = threading.Lock()

    def handle(item):
        STEPS
    """
SPLIT = {
    "in one expression": "gauge.set(gauge.get() + 1)",
    "by a name": "value = gauge.get(); gauge.set(value + 1)",
    "by a decision": "if gauge.get() > 0: gauge.take()",
}
WHOLE = {
    "a lock around": "outer.acquire(); gauge.set(gauge.get() + 1); outer.release()",
    "something else": "gauge.get(); gauge.set(item)",
    "as it was": "value = gauge.get(); gauge.set(value)",
}


def split(steps: str) -> str:
    return GAUGE.replace("STEPS", steps.replace("; ", "\n        "))


@pytest.mark.parametrize("steps", SPLIT.values(), ids=SPLIT)
def test_two_locked_steps_from_outside_are_not_one(steps: str) -> None:
    assert found("RH109", split(steps))


@pytest.mark.parametrize("steps", WHOLE.values(), ids=WHOLE)
def test_steps_that_do_not_hang_together_are_quiet(steps: str) -> None:
    assert not found("RH109", split(steps))


def found(code: str, parts: str) -> bool:
    modules = (SourceModule.from_text(dedent(text), path) for path, text in files(parts))
    findings = rule_named(code).check(Program.of(*modules))
    return any(finding.confidence is not Confidence.POSSIBLE for finding in findings)


def files(parts: str) -> list[tuple[str, str]]:
    pool = POOL.replace("*", "handle") if "def handle" in parts else POOL.replace("*", "Stock")
    return [("app/__init__.py", ""), ("app/parts.py", parts), ("app/main.py", pool)]
