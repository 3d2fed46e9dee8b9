"""Races in methods that a base class calls, and that derived classes have."""

from racehound.analysis.program import Program
from racehound.model.finding import Confidence
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


def certain(text: str) -> list[int]:
    found = rule_named("RH102").check(Program.of(SourceModule.from_text(text, "app.py")))
    return [item.location.line for item in found if item.confidence is Confidence.CERTAIN]


THREADS = """\
import threading

TOTAL = OTHERS = 0

def more(number):
    return number + 1

class Base(threading.Thread):
    def run(self):
        self.work()

    def work(self):
        global OTHERS
        OTHERS = more(OTHERS)

class Often(Base):
    def work(self):
        global TOTAL
        TOTAL = more(TOTAL)

class Once(Base):
    def work(self):
        global OTHERS
        OTHERS = more(OTHERS)

Once().start()
for _ in range(2):
    Often().start()
"""


def test_thread_runs_the_step_of_the_class_that_was_started_often() -> None:
    assert certain(THREADS) == [19]
    assert certain(THREADS.replace("for _ in range(2):\n    ", "")) == []


PLUGINS = """\
import abc
import threading

class Plugin(abc.ABC):
    @abc.abstractmethod
    def handle(self):
        ...

class Counter(Plugin):
    def __init__(self):
        self.count = 0

    def handle(self):
        self.count = more(self.count)

def more(number):
    return number + 1

class Dispatcher:
    def __init__(self, plugin: Plugin):
        self.plugin = plugin

    def loop(self):
        self.plugin.handle()

dispatcher = Dispatcher(Counter())
for _ in range(2):
    threading.Thread(target=dispatcher.loop).start()
"""


def test_abstract_method_is_the_one_that_implements_it() -> None:
    assert certain(PLUGINS) == [14]
    assert certain(PLUGINS.replace("for _ in range(2):\n    ", "")) == []
