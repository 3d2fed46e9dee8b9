"""What the findings about files and process-wide state tell."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


def findings(code: str, text: str) -> list[Finding]:
    return list(rule_named(code).check(Program.of(SourceModule.from_text(dedent(text).lstrip(), "app.py"))))


def test_making_is_likely_and_removing_and_reading_are_possible() -> None:
    text = """
        import os

        def make_dir(path):
            if not os.path.exists(path):
                os.mkdir(path)

        def drop(path):
            if os.path.exists(path):
                os.remove(path)

        def read(path):
            if os.path.exists(path):
                return open(path).read()
        """

    assert [finding.confidence for finding in findings("RH401", text)] == [
        Confidence.LIKELY,
        Confidence.POSSIBLE,
        Confidence.POSSIBLE,
    ]


def test_check_then_use_in_a_pool_is_certain_and_says_where() -> None:
    text = """
        import os
        from concurrent.futures import ThreadPoolExecutor

        def drop(path):
            if os.path.exists(path):
                os.remove(path)

        def main(paths):
            with ThreadPoolExecutor() as pool:
                pool.map(drop, paths)
        """
    (finding,) = findings("RH401", text)

    assert finding.confidence is Confidence.CERTAIN
    assert finding.first.context == "a pool thread started at app.py:10"
    assert finding.second.location.line == 5
    assert finding.message == "`drop` looks for `path` and then relies on what it saw"
    assert finding.subject.functions == ("drop",)


DRAWER = """
    import threading

    class Drawer:
        def __init__(self, folder):
            self.folder = folder

        def contents(self):
            for path in sorted(self.folder.rglob("*")):
                if path.is_file():
                    yield path.name, path.read_bytes()

        def empty(self):
            for path in sorted(self.folder.iterdir()):
                path.unlink()
    """
CLEANER = """
    def keep_small(drawer: Drawer):
        threading.Thread(target=drawer.empty, daemon=True).start()
    """


@pytest.mark.parametrize(("more", "confidence"), [("", Confidence.POSSIBLE), (CLEANER, Confidence.LIKELY)])
def test_a_folder_that_an_object_goes_over_is_its_own_but_for_threads(more: str, confidence: Confidence) -> None:
    (finding,) = findings("RH401", dedent(DRAWER) + dedent(more))

    assert finding.confidence is confidence


def test_update_of_a_file_is_likely_only_where_all_work_on_the_same_one() -> None:
    text = """
        STATE = "state.json"

        def add(name):
            names = json.loads(open(STATE).read())
            open(STATE, "w").write(json.dumps([*names, name]))

        def upper(path):
            text = open(path).read()
            open(path, "w").write(text.upper())
        """
    lasting, given = findings("RH405", text)

    assert (lasting.confidence, given.confidence) == (Confidence.LIKELY, Confidence.POSSIBLE)
    assert lasting.second.action == "reads"


def test_made_up_name_is_certain_and_a_fixed_one_likely() -> None:
    text = """
        import tempfile

        def made_up():
            return tempfile.mktemp()

        def fixed():
            open("/tmp/fixed", mode="w")

        def unknown(mode, path):
            open("/tmp/fixed", mode)
            open("/tmp/fixed", "u")
            open(path.parent, "w")
        """

    assert [finding.confidence for finding in findings("RH402", text)] == [Confidence.CERTAIN, Confidence.LIKELY]


def test_class_with_a_lock_between_processes_may_overwrite() -> None:
    text = """
        class Store:
            def locked(self):
                return file_lock(self.path)

            def load(self):
                return self.path.read_text()

            def save(self, text):
                self.path.write_text(text)
        """

    assert findings("RH403", text) == []


def test_workers_that_each_change_the_process_are_certain_one_alone_or_a_constant_is_possible() -> None:
    text = """
        import os
        import threading

        def work(mask):
            os.umask(mask)

        def main():
            threading.Thread(target=work, args=(0,)).start()
        """
    several = text.replace("    threading.", "    for _ in 'ab': threading.")
    (one,), (many,) = findings("RH406", text), findings("RH406", several)
    (same,) = findings("RH406", several.replace("umask(mask)", "umask(0)"))

    assert (one.confidence, many.confidence) == (Confidence.POSSIBLE, Confidence.CERTAIN)
    assert same.confidence is Confidence.POSSIBLE
    assert one.message == "`work` changes the umask of the whole process while others run beside it"


def test_pool_that_may_be_one_of_processes_is_left_alone() -> None:
    text = """
        import os
        from concurrent.futures import ProcessPoolExecutor

        def work():
            os.umask(0)

        def main(pool):
            pool.submit(work)
        """

    assert findings("RH406", text) == []


_LOCKED_BY_CALLERS = """
    from filelock import FileLock

    STATE = "names.txt"

    def add(name):
        names = shown()
        open(STATE, "w").write(json.dumps([*names, name]))

    def shown():
        return json.loads(open(STATE).read())

    def work(name):
        return add(name) if name else shown()

    def main(name):
        with FileLock(STATE + ".lock"):
            work(name)
    """


@pytest.mark.parametrize("code", ["RH403", "RH405"])
def test_lock_that_every_caller_takes_between_processes_keeps_others_out(code: str) -> None:
    assert not list(findings(code, _LOCKED_BY_CALLERS))


@pytest.mark.parametrize("code", ["RH403", "RH405"])
def test_lock_that_one_caller_does_not_take_keeps_nobody_out(code: str) -> None:
    loose = (
        _LOCKED_BY_CALLERS + "\n    def import_names(names):\n        for name in names:\n            work(name)\n"
    )

    assert [finding.confidence for finding in findings(code, loose)] == [Confidence.LIKELY]


def test_name_that_is_made_up_is_that_of_a_temporary_file() -> None:
    text = """
        import tempfile

        def draw(image):
            image.save(tempfile.mktemp(".png"))
        """

    (finding,) = findings("RH402", text)

    assert (finding.first.action, finding.first.target) == ("picks a name for", "a temporary file")


TOLD_WHERE = """
    import json
    import os

    def path_of(root, name):
        return os.path.join(root, name + ".json")

    def plain(path):
        return os.fsdecode(path)

    def save(settings, name, text):
        with open(WRITTEN, "w") as file:
            file.write(text)

    def load(settings, schemas, name):
        with open(READ) as file:
            return json.load(file)
    """


@pytest.mark.parametrize(
    ("written", "read", "expected"),
    [
        ("path_of(settings, name)", "path_of(settings, name)", 1),
        ("path_of(settings, name)", "path_of(schemas, name)", 0),
        ("plain(settings)", "plain(settings)", 0),
    ],
)
def test_helper_that_is_told_where_the_file_lies_means_one_file_where_it_is_named_alike(
    written: str, read: str, expected: int
) -> None:
    found = findings("RH403", TOLD_WHERE.replace("WRITTEN", written).replace("READ", read))

    assert len([item for item in found if item.confidence is not Confidence.POSSIBLE]) == expected
