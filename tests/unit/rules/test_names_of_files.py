"""Files that two come to by the same name: free ones, claimed ones, drafts, and those with a number in them."""

from textwrap import dedent

from racehound.analysis.program import Program
from racehound.model.finding import Confidence
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


def sureness(code: str, text: str) -> dict[int, Confidence]:
    program = Program.of(SourceModule.from_text(dedent(text).lstrip(), "app.py"))
    return {item.location.line: item.confidence for item in rule_named(code).check(program)}


FREE = """
    import itertools, os, shutil
    from pathlib import Path

    HOME = Path.home() / ".reports"

    def free_name(stem):
        number = 0
        path = HOME / f"{stem}.txt"
        while path.exists():
            number += 1
            path = HOME / f"{stem}-{number}.txt"
        return path

    def save(stem, text):
        path = free_name(stem)
        path.write_text(text)

    def free_folder(parent):
        for number in itertools.count():
            path = os.path.join(parent, str(number))
            if not os.path.exists(path):
                return path

    def make(parent):
        os.mkdir(free_folder(parent))

    def backup(path):
        target = path + ".bak"
        while os.path.exists(target):
            target += "~"
        shutil.copy2(path, target)

    def backup_state():
        backup(os.path.join(os.environ["XDG_STATE_HOME"], "state.db"))
    """


def test_name_that_was_free_at_the_look_is_taken_by_two() -> None:
    assert sureness("RH401", FREE) == {
        16: Confidence.LIKELY,
        25: Confidence.POSSIBLE,
        31: Confidence.LIKELY,
    }


def test_names_that_are_no_free_ones_are_left_alone() -> None:
    text = """
        import os
        from pathlib import Path

        def first(names):
            for name in names:
                path = Path.home() / name
                if path.exists():
                    break
            path.write_text("")

        def each(names):
            for name in names:
                path = Path.home() / name
                if not path.exists():
                    continue
                print(path)

        def careful(stem):
            number, path = 0, Path.home() / stem
            while path.exists():
                number += 1
                path = Path.home() / f"{stem}{number}"
            try:
                path.mkdir()
            except FileExistsError:
                careful(stem)
        """

    assert sureness("RH401", text) == {}


def test_file_that_one_is_refused_is_written_once() -> None:
    text = """
        import os, sys

        INBOX = os.path.expanduser("~/.inbox")

        def create(path, text):
            if os.path.exists(path):
                sys.exit("there is one")
            with open(path, "w") as file:
                file.write(text)

        def claim(name):
            path = os.path.join(INBOX, name)
            if os.path.exists(path):
                return False
            open(path, "w").close()
            return True

        def ensure(name):
            path = os.path.join(INBOX, name)
            if not os.path.exists(path):
                open(path, "w").close()
            return path

        def main():
            create(os.path.join(INBOX, sys.argv[1]), "")
        """

    assert sureness("RH401", text) == {
        8: Confidence.LIKELY,
        15: Confidence.LIKELY,
        21: Confidence.POSSIBLE,
    }


def test_threads_of_a_loop_that_have_one_object_meet_at_its_file() -> None:
    text = """
        import os, threading

        class Log:
            def __init__(self, path):
                self.path = path

            def write(self, line):
                if os.path.getsize(self.path) > 100 and os.path.exists(self.path):
                    os.rename(self.path, self.path + ".1")

        class Own(threading.Thread):
            def __init__(self, path):
                super().__init__()
                self.path = path

            def run(self):
                if os.path.exists(self.path):
                    os.remove(self.path)

        def main(paths):
            log = Log("service.log")
            for _ in range(4):
                threading.Thread(target=log.write, args=("line",)).start()
            for path in paths:
                Own(path).start()
        """

    assert sureness("RH401", text) == {9: Confidence.CERTAIN, 18: Confidence.POSSIBLE}


def test_number_of_the_process_keeps_runs_apart_but_not_threads() -> None:
    text = """
        import os, threading

        def stage(data):
            with open(f"/tmp/stage-{os.getpid()}", "wb") as file:
                file.write(data)

        def render(page):
            with open("/tmp/page.%d" % os.getpid(), "w") as file:
                file.write(page)

        def drawn(page):
            with open(f"/tmp/{os.getpid()}-{threading.get_ident()}", "w") as file:
                file.write(page)

        def main(pages):
            for page in pages:
                threading.Thread(target=render, args=(page,)).start()
                threading.Thread(target=drawn, args=(page,)).start()
        """

    assert sureness("RH402", text) == {4: Confidence.POSSIBLE, 8: Confidence.LIKELY}


def test_draft_of_one_name_is_that_of_every_run() -> None:
    text = """
        import json, os, tempfile
        import fcntl

        STATE = os.path.expanduser("~/.agent/state.json")

        def save(state):
            draft = STATE + ".new"
            with open(draft, "w") as file:
                json.dump(state, file)
            os.replace(draft, STATE)

        def save_own(state):
            draft = f"{STATE}.{os.getpid()}"
            with open(draft, "w") as file:
                json.dump(state, file)
            os.replace(draft, STATE)

        def save_locked(state):
            with open(STATE + ".lock", "w") as guard:
                fcntl.flock(guard, fcntl.LOCK_EX)
                draft = STATE + ".new"
                with open(draft, "w") as file:
                    json.dump(state, file)
                os.replace(draft, STATE)

        def save_at(path, state):
            draft = path + ".new"
            with open(draft, "w") as file:
                json.dump(state, file)
            os.replace(draft, path)
        """

    assert sureness("RH402", text) == {8: Confidence.LIKELY}


def test_lock_in_the_temporary_directory_has_a_name_that_all_know() -> None:
    text = """
        import fcntl, os

        LOCK = "/tmp/build.lock"

        def claim():
            return os.open(LOCK, os.O_CREAT | os.O_EXCL | os.O_WRONLY)

        def leave():
            os.unlink(LOCK)

        def hold(work):
            with open("/tmp/index.lock", "w") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                work()
        """

    assert sureness("RH402", text) == {}


def test_file_that_is_compared_first_is_claimed_by_nobody() -> None:
    text = """
        from pathlib import Path

        CACHE = Path.home() / ".cache"

        def renew(name, data):
            target = CACHE / name
            if target.exists() and target.read_bytes() == data:
                return False
            target.write_bytes(data)
            return True
        """

    assert Confidence.LIKELY not in sureness("RH401", text).values()


def test_job_that_is_moved_is_taken_by_one_run() -> None:
    text = """
        import os, tempfile

        INBOX = "/srv/jobs/inbox"
        ACTIVE = "/srv/jobs/active"

        def take(name):
            target = os.path.join(ACTIVE, name)
            if os.path.exists(target):
                return None
            os.rename(os.path.join(INBOX, name), target)
            return target

        def publish(name, draft):
            target = os.path.join(ACTIVE, name)
            if not os.path.exists(target):
                os.rename(draft, target)
        """

    assert sureness("RH401", text) == {10: Confidence.LIKELY, 16: Confidence.POSSIBLE}


def test_file_beside_that_of_an_object_is_met_by_its_pool() -> None:
    text = """
        from concurrent.futures import ThreadPoolExecutor

        class Journal:
            def __init__(self, path):
                self.path = path

            def roll(self):
                old = self.path.with_suffix(".old")
                if old.exists():
                    old.unlink()

            def add(self):
                self.roll()

        def main(journal: Journal):
            with ThreadPoolExecutor() as pool:
                for _ in range(4):
                    pool.submit(journal.add)
        """

    assert sureness("RH401", text) == {10: Confidence.LIKELY}


def test_path_that_two_helpers_put_together_alike_is_one() -> None:
    text = """
        BASE = "mirror"

        def locked(name):
            return os.path.isfile(f"{BASE}/{name}.lock")

        def done(name):
            return os.path.isfile(f"{BASE}/{name}.done")

        def lock(name):
            open(f"{BASE}/{name}.lock", "w").close()

        def sync(name):
            if locked(name):
                return 1
            lock(name)

        def sync_once(name):
            if done(name):
                return 1
            lock(name)

        import os
        """

    assert list(sureness("RH404", text)) == [15]
