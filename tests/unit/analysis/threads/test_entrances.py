from racehound.analysis.program import Program
from racehound.analysis.threads.entrances import callers_outside, entrances
from racehound.source.module import SourceModule

EMITTER = """
import threading

class Emitter:
    def __init__(self):
        self._lock = threading.Lock()
        self._events = {}

    def add(self, name):
        with self._lock:
            self._put(name)

    def replace(self, name):
        with self._lock:
            self._swap(name)

    def _swap(self, name):
        self._put(name)
        self._drop(name)

    def _put(self, name):
        self._events[name] = 1

    def _drop(self, name):
        self._events.pop(name)

    def _loose(self, name):
        self._events.pop(name)

    def remove(self, name):
        self._loose(name)
"""


def test_a_step_under_the_lock_of_its_callers_is_raced_through_these() -> None:
    program = Program.of(SourceModule.from_text(EMITTER, "emitter.py"))
    functions = {function.name: function for function in program.modules[0].functions}

    found = {
        name: [item.name for item in entrances(program.locksets, functions[name])]
        for name in ("add", "_put", "_drop", "_loose")
    }

    assert found == {
        "add": ["add"],
        "_put": ["add", "replace"],
        "_drop": ["replace"],
        "_loose": ["_loose"],
    }


def test_a_private_step_is_led_to_by_those_whom_others_call() -> None:
    program = Program.of(SourceModule.from_text(EMITTER, "emitter.py"))
    functions = {function.name: function for function in program.modules[0].functions}

    found = {
        name: [item.name for item in callers_outside(program.locksets, functions[name])]
        for name in ("add", "_put", "_drop", "_loose")
    }

    assert found == {"add": [], "_put": ["add", "replace"], "_drop": ["replace"], "_loose": ["remove"]}
