from racehound.analysis.program import Program
from racehound.source.module import SourceModule

STARTER = """
import threading
TABLE = {}

def work():
    TABLE[1] = 2

def main():
    TABLE[0] = 1
    threading.Thread(target=work).start()
    TABLE[3] = 1
"""


def test_threads_of_another_module_do_not_matter_for_what_comes_before_the_own_ones() -> None:
    modules = [SourceModule.from_text(STARTER, path) for path in ("one.py", "other.py")]
    program = Program.of(*modules)
    uses = program.fields.of_module(program.modules[0])["TABLE"]

    assert [(use.function.name, use.touch.span.line) for use in uses] == [("work", 6), ("main", 11)]
