"""What counts as the same is all that analysis and rules can see of a module."""

import re
from pathlib import Path

import racehound
from racehound.pipeline.reading import facts_of
from racehound.source.facts import ModuleFacts
from racehound.source.likeness import WORDS, Likeness
from racehound.source.module import SourceModule

SOURCES = Path(racehound.__file__).parent
READERS = re.compile(r"\bmodule\.(?:text|line)\b")
SEARCHED = re.compile(r'"([^"]+)" in (?:\w+\.)?module\.text')
KNOWN = {
    "analysis/awaiting/tasks.py",
    "analysis/awaiting/unasked.py",
    "analysis/event_loops/loops.py",
    "analysis/files/databases.py",
    "analysis/files/truncations.py",
    "analysis/meaning/calls.py",
    "analysis/meaning/mentions.py",
    "analysis/state/figures.py",
    "analysis/state/hazards.py",
    "analysis/state/plain.py",
    "analysis/threads/registered.py",
    "analysis/threads/served.py",
    "rules/awaiting/held_up.py",
    "rules/files/file_steps.py",
    "rules/files/first_content.py",
    "rules/files/free_names.py",
    "rules/files/numbered_paths.py",
    "rules/incident.py",
    "rules/locking/fresh_locks.py",
    "rules/rh201_lock_order_cycle.py",
    "rules/rh202_instance_lock_order.py",
    "rules/rh305_unreferenced_task.py",
    "rules/rh309_loop_touched_from_thread.py",
    "rules/rh404_lock_file_by_existence.py",
    "rules/rh406_process_state_in_worker.py",
    "rules/rule.py",
    "rules/state/check_doubts.py",
}
"""Where the text of a module is looked at: `Likeness` compares what each of them sees."""


def facts(text: str) -> ModuleFacts:
    found = facts_of(SourceModule.from_text(text))
    assert isinstance(found, ModuleFacts)
    return found


def is_like(before: str, after: str) -> bool:
    return Likeness(facts(before), facts(after)).holds()


def test_all_who_look_at_the_text_of_a_module_are_known() -> None:
    texts = {
        path.relative_to(SOURCES).as_posix(): path.read_text("utf-8")
        for room in ("analysis", "rules")
        for path in (SOURCES / room).rglob("*.py")
    }

    assert {name for name, text in texts.items() if READERS.search(text)} == KNOWN
    assert {word for text in texts.values() for word in SEARCHED.findall(text)} <= set(WORDS)


def test_functions_without_a_name_are_told_apart_by_their_order() -> None:
    before = "def f(a):\n    a.add(lambda: a.x())\n    a.drop(lambda: a.y())\n"

    assert is_like(before, f"# so\n{before}")
    assert not is_like(before, f"# so\n{before.replace('a.x', 'a.z')}")


def test_order_on_one_line_matters() -> None:
    before = "class A:\n    def f(self):\n        self.x = 1\n        self.y = 2\n"

    assert is_like(before, before.replace("\n        self.x", "\n\n        self.x"))
    assert not is_like(before, before.replace("1\n        ", "1; "))


def test_negation_before_a_look_at_a_file_matters() -> None:
    before = "import os\n\ndef f(path):\n    if not os.path.exists(path):\n        open(path, 'w')\n"

    assert not is_like(before, before.replace("not ", ""))
    assert not is_like(
        *(text.replace("def f(path):", "if path:") for text in (before, before.replace("not ", "")))
    )


def test_name_by_which_a_thing_is_reached_matters() -> None:
    before = "class A:\n    def f(self):\n        a = self.x\n        b = self.x\n        a.p(b.q)\n"

    assert not is_like(before, before.replace("a.p(b.q)", "b.p(a.q)"))


def test_what_a_try_statement_catches_matters() -> None:
    before = "def f(a):\n    try:\n        a.go()\n    except OSError:\n        a.stop()\n"

    assert is_like(before, before.replace("    except", "\n    except"))
    assert not is_like(before, before.replace("OSError", "KeyError"))


def test_what_a_lock_file_is_called_matters_wherever_it_is_said() -> None:
    before = 'NAME = FOLDER + "a.lock"\ndef f():\n    open(NAME, "w").close()\n'

    assert not is_like(before, before.replace("a.lock", "a.text"))
    assert is_like(before.replace("a.lock", "a.log"), before.replace("a.lock", "b.log"))


def test_whether_a_count_goes_round_and_a_container_begins_empty_matters() -> None:
    before = "class A:\n    def f(self):\n        self.x = (self.x + 1) % 8\n        self.y = make()\n"

    assert is_like(before, before.replace("8", "9"))
    assert not is_like(before, before.replace(" % 8", " - 8"))
    assert not is_like(before, before.replace("make()", "dict()"))


def test_flag_that_empties_a_file_matters() -> None:
    before = "import os\ndef f(a):\n    flags = os.O_RDWR | os.O_TRUNC\n    return os.open(a, flags)\n"

    assert is_like(before, f"# so\n{before}")
    assert not is_like(before, before.replace("O_TRUNC", "O_CREAT"))


def test_default_that_says_where_matters_and_a_number_does_not() -> None:
    before = 'def f(path="/var/lib/a", size=1):\n    go(path)\n'

    assert not is_like(before, before.replace("lib/a", "lib/b"))
    assert is_like(before, before.replace("size=1", "size=2"))
