"""Files that every run of a program works on: two runs of one command meet there."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


def found(code: str, **texts: str) -> list[Finding]:
    modules = [SourceModule.from_text(dedent(text).lstrip(), f"app/{name}.py") for name, text in texts.items()]
    return list(rule_named(code).check(Program.of(*modules)))


def likely(code: str, **texts: str) -> list[tuple[str, int]]:
    shown = (item for item in found(code, **texts) if item.confidence is not Confidence.POSSIBLE)
    return [(item.location.path.removeprefix("app/"), item.location.line) for item in shown]


STORE = """
    import json

    def load(path):
        return json.loads(path.read_text())

    def save(path, state):
        path.write_text(json.dumps(state))
    """
COMMAND = """
    from pathlib import Path
    import click
    from app.store import load, save

    STATE = {origin}

    @click.command()
    def bump(name):
        state = load(STATE)
        state[name] = state.get(name, 0) + 1
        save(STATE, state)
    """


@pytest.mark.parametrize(
    "origin",
    [
        'Path.home() / ".tool" / "numbers.json"',
        'Path(click.get_app_dir("tool")) / "numbers.json"',
        'Path("/var/lib/tool/numbers.json")',
        'Path("~/.tool").expanduser()',
        'Path(os.environ.get("TOOL", "~/.tool"))',
    ],
)
def test_two_runs_of_a_command_lose_an_update_of_the_file_of_all(origin: str) -> None:
    (finding,) = found("RH405", store=STORE, command=COMMAND.format(origin=origin))

    assert finding.confidence is Confidence.LIKELY
    assert finding.location.line == 11
    assert finding.first.context == "one run of the program"
    assert finding.second is not None
    assert finding.second.context == "another run of it at the same time"


@pytest.mark.parametrize(
    "origin",
    ['Path("numbers.json")', 'Path.home() / f"numbers-{os.getpid()}.json"', "Path(tempfile.mkdtemp()) / 'a.json'"],
)
def test_what_need_not_be_the_file_of_another_run_is_no_more_than_possible(origin: str) -> None:
    assert likely("RH405", store=STORE, command=COMMAND.format(origin=origin)) == []


INHERITED = """
    class FileStore:
        def __init__(self, filename):
            self.filename = filename

        def load(self):
            with open(self.filename) as file:
                return self.decode(file.read())

        def dump(self, data):
            with open(self.filename, "w") as file:
                file.write(self.encode(data))
    """


def test_update_is_found_through_the_methods_of_a_base_in_another_module() -> None:
    text = """
        import os
        from app.base import FileStore

        class Settings(FileStore):
            def put(self, key, value):
                data = self.load()
                data[key] = value
                self.dump(data)

        def main(key, value):
            Settings(os.path.expanduser("~/.conf")).put(key, value)
        """

    assert likely("RH405", base=INHERITED, settings=text) == [("settings.py", 8)]


KEPT = """
    import json
    import os

    PATH = os.path.expanduser("~/.kept.json")

    class Kept:
        def _read(self):
            with open(PATH) as file:
                self.values = json.load(file)

        def _write(self):
            with open(PATH, "w") as file:
                json.dump(self.{written}, file)

        def set(self, key, value):
            self._read()
            self.values[key] = value
            self._write()
    """


def test_what_is_read_into_an_attribute_is_written_back_from_it() -> None:
    assert likely("RH405", kept=KEPT.format(written="values")) == [("kept.py", 18)]
    assert likely("RH405", kept=KEPT.format(written="others")) == []


def test_parsers_and_coroutines_read_files_as_well() -> None:
    text = """
        import aiofiles, configparser, os

        PATH = os.path.expanduser("~/.prefs.ini")

        def change(option, value):
            parser = configparser.ConfigParser()
            parser.read(PATH)
            parser.set("main", option, value)
            with open(PATH, "w") as out:
                parser.write(out)

        async def bump():
            async with aiofiles.open(PATH) as file:
                number = int(await file.read())
            async with aiofiles.open(PATH, "w") as file:
                await file.write(str(number + 1))
        """

    assert likely("RH405", prefs=text) == [("prefs.py", 9), ("prefs.py", 15)]


def test_command_overwrites_the_file_that_another_run_reads() -> None:
    text = """
        import argparse, json, os

        TOKEN = os.path.expanduser("~/.auth/token.json")

        def cached():
            with open(TOKEN) as file:
                return json.load(file)

        def store(token, {given}):
            with open({path}, "w") as file:
                json.dump(token, file)

        if __name__ == "__main__":
            argparse.ArgumentParser()
        """

    assert likely("RH403", auth=text.format(given="", path="TOKEN")) == [("auth.py", 10)]
    assert likely("RH403", auth=text.format(given="args", path="args.token")) == []


FIRST = """
    import os, pickle
    from concurrent.futures import ThreadPoolExecutor

    class Models:
        def __init__(self, path):
            self.cache_path = path

        def get(self, name):
            if not os.path.exists(self.cache_path):
                with open(self.cache_path, "wb") as file:
                    pickle.dump(train(name), file)
            with open(self.cache_path, "rb") as file:
                return pickle.load(file)

        def all(self, names):
            {how}
    """


def test_first_content_is_met_where_many_ask_for_it() -> None:
    pool = "return list(ThreadPoolExecutor().map(self.get, names))"

    assert likely("RH403", models=FIRST.format(how=pool)) == [("models.py", 10)]
    assert likely("RH403", models=FIRST.format(how="return [self.get(name) for name in names]")) == []


def test_look_and_use_may_stand_in_helpers_of_another_module() -> None:
    helpers = """
        from pathlib import Path

        ROOT = Path.home() / ".plug"

        def installed(name):
            return (ROOT / name).is_dir()

        def remove(name):
            (ROOT / name).rmdir()
        """
    command = """
        from app.helpers import installed, remove

        def forget(name):
            if installed(name):
                remove(name)

        def forget_other(name, other):
            if installed(other):
                remove(name)
        """

    assert likely("RH401", helpers=helpers, command=command) == [("command.py", 5)]


def test_who_refuses_what_is_there_overwrites_what_another_request_has_written() -> None:
    text = """
        from pathlib import Path
        from fastapi import FastAPI, HTTPException

        app = FastAPI()
        ROOT = Path("uploads")

        @app.post("/{name}")
        def upload(name, data):
            target = ROOT / name
            if target.exists():
                raise HTTPException(409)
            target.write_bytes(data)

        @app.put("/{name}")
        def refresh(name, data):
            target = ROOT / name
            if not target.exists():
                target.write_bytes(data)
        """

    assert likely("RH401", web=text) == [("web.py", 12)]


def test_what_is_asked_for_its_age_may_be_gone() -> None:
    text = """
        import os

        STATE = os.path.expanduser("~/.state")

        def age():
            if os.path.exists(STATE):
                return os.path.getmtime(STATE)

        def forget():
            os.unlink(STATE)
        """

    assert likely("RH401", state=text) == [("state.py", 7)]


def test_file_that_is_removed_at_the_end_is_a_lock_whatever_its_name() -> None:
    text = """
        def exclusive(function, marker):
            if marker.exists():
                raise RuntimeError("runs already")
            marker.touch()
            try:
                return function()
            finally:
                {end}
        """

    assert likely("RH404", jobs=text.format(end="marker.unlink()")) == [("jobs.py", 4)]
    assert likely("RH404", jobs=text.format(end="report(marker)")) == []
    assert likely("RH401", jobs=text.format(end="marker.unlink()")) == []


def test_lock_may_be_looked_for_and_made_by_helpers() -> None:
    guard = """
        def locked(root):
            return (root / ".mirror.lock").exists()

        def lock(root):
            (root / ".mirror.lock").touch()
        """
    command = """
        from app.guard import lock, locked

        def main(root, other):
            if locked(root):
                return 1
            lock({given})
        """

    assert likely("RH404", guard=guard, command=command.format(given="root")) == [("command.py", 6)]
    assert likely("RH404", guard=guard, command=command.format(given="other")) == []


def test_two_who_wait_take_away_the_lock_that_one_of_them_has_just_made() -> None:
    text = """
        import os, time

        def acquire(path):
            while True:
                try:
                    return os.open(path, os.O_CREAT | os.O_EXCL)
                except FileExistsError:
                    if time.time() - os.stat(path).st_mtime > 600:
                        os.unlink({removed})
        """
    (finding,) = found("RH404", locks=text.format(removed="path"))

    assert (finding.location.line, finding.confidence) == (9, Confidence.LIKELY)
    assert found("RH404", locks=text.format(removed="other")) == []


TEMPORARY = """
    import getpass, os, tempfile
    from pathlib import Path
    from flask import Flask

    app = Flask(__name__)
    ROOT = Path(tempfile.gettempdir())

    @app.route("/<key>")
    def handler(key):
        open(ROOT / f"thumb_{key}.png", "w")
        open(ROOT / f"thumb_{os.getpid()}_{key}.png", "w")

    def of_user():
        open(f"/tmp/agent-{getpass.getuser()}.state", "w")

    def of_caller(key):
        open("/tmp/" + key, "w")

    def of_run(run_id):
        open("/tmp/%s" % run_id, "w")

    def named(function):
        open(MARK.format(function.__name__), "w")

    def clear():
        os.remove(os.path.join(tempfile.gettempdir(), "build", "out.tar"))

    MARK = "/tmp/once-{}.done"
    """


def test_temporary_name_with_a_variable_part_is_met_by_who_works_on_the_same_thing() -> None:
    lines = {item.location.line: item.confidence for item in found("RH402", temporary=TEMPORARY)}

    assert lines == {
        10: Confidence.LIKELY,
        11: Confidence.LIKELY,
        14: Confidence.LIKELY,
        17: Confidence.POSSIBLE,
        23: Confidence.LIKELY,
        26: Confidence.LIKELY,
    }


def test_temporary_directory_of_another_module_or_of_a_property_is_followed() -> None:
    paths = "import tempfile, os\nBUILD = os.path.join(tempfile.gettempdir(), 'build')\n"
    build = """
        import os, shutil, tempfile
        from app.paths import BUILD

        def clean():
            shutil.rmtree(BUILD, ignore_errors=True)

        class Runner:
            name = "base"

            @property
            def script(self):
                return os.path.join(tempfile.gettempdir(), f"{self.name}-run.sh")

            def prepare(self):
                open(self.script, "w")
        """

    assert likely("RH402", paths=paths, build=build) == [("build.py", 5), ("build.py", 15)]


def test_lock_file_that_stays_empty_may_be_emptied() -> None:
    text = """
        import fcntl, json

        def replace(path, entries):
            with open(path, "w") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                json.dump(entries, file)

        def guarded(path, text):
            with open(path, "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                with open("text", "a") as out:
                    out.write(text)
        """

    assert likely("RH408", journal=text) == [("journal.py", 4)]


FORKING = """
    import multiprocessing, os, threading

    class Reporter:
        def start(self):
            threading.Thread(target=work).start()

    class Supervisor:
        def __init__(self):
            self.reporter = Reporter()

        def spawn(self):
            if os.fork() == 0:
                work()

        def run(self):
            self.reporter.start()
            self.spawn()

    def pooled():
        threading.Thread(target=work).start()
        with multiprocessing.Pool(4) as pool:
            pool.map(work, range(4))
    """


def test_threads_and_forks_are_seen_through_helpers_and_pools() -> None:
    assert likely("RH209", forking=FORKING) == [("forking.py", 17), ("forking.py", 21)]


def test_who_chooses_how_processes_start_need_not_fork() -> None:
    chosen = "import multiprocessing\nmultiprocessing.set_start_method('spawn')\n"

    assert likely("RH209", forking=FORKING, start=chosen) == [("forking.py", 17)]


def test_path_that_a_parameter_has_unless_somebody_says_otherwise_is_that_of_all_runs() -> None:
    text = """
        import os, pathlib

        STATE = pathlib.Path.home() / ".state"

        class Store:
            def __init__(self, path=STATE, sep="\\n"):
                self.path = path

            def forget(self):
                if self.path.exists():
                    self.path.unlink()

        def drop(path={default}):
            if os.path.exists(path):
                os.remove(path)
        """

    assert likely("RH401", state=text.format(default='"/var/lib/state"')) == [("state.py", 11), ("state.py", 15)]
    assert likely("RH401", state=text.format(default="None")) == [("state.py", 11)]


CLAIM = """
    import os, sys

    def claim(path, other):
        try:
            old = int(open(path).read())
        except FileNotFoundError:
            old = None
        if old is not None and is_alive(old):
            {refuse}
        with open({written}, "w") as file:
            file.write(str({content}))
    """


@pytest.mark.parametrize(
    ("refuse", "written", "content", "lines"),
    [
        ("sys.exit(1)", "path", "os.getpid()", [("claim.py", 10)]),
        ("raise RuntimeError(old)", "path", "os.getpid()", [("claim.py", 10)]),
        ("print(old)", "path", "os.getpid()", []),
        ("sys.exit(1)", "other", "os.getpid()", []),
        ("sys.exit(1)", "path", "os.uname()", []),
    ],
)
def test_who_overwrites_an_old_number_with_its_own_has_no_lock(
    refuse: str, written: str, content: str, lines: list[tuple[str, int]]
) -> None:
    assert likely("RH404", claim=CLAIM.format(refuse=refuse, written=written, content=content)) == lines


SIGNALS = """
    import os, psutil, signal
    from contextlib import suppress
    from pathlib import Path

    PID = Path("/run/guard.pid")

    def running():
        return int(PID.read_text())

    def stop():
        number = running()
        os.kill(number, signal.SIGTERM)

    def ask():
        os.kill(running(), 0)

    def end():
        text = PID.read_text().strip()
        if psutil.pid_exists(int(text)):
            psutil.Process(int(text)).terminate()

    def forgiving():
        with suppress(ProcessLookupError):
            os.kill(running(), signal.SIGTERM)

    def own_child(child):
        os.kill(child, signal.SIGTERM)

    def from_arguments(arguments):
        PID.read_text()
        os.kill(int(arguments.pid), signal.SIGTERM)
    """


def test_process_whose_number_was_read_may_be_gone_when_it_is_signalled() -> None:
    found_at = {item.location.line: item for item in found("RH409", signals=SIGNALS)}

    assert sorted(found_at) == [12, 20]
    assert found_at[12].second is not None
    assert found_at[12].second.location.line == 8


def test_default_of_a_directory_that_nobody_names_is_the_place_of_all_runs() -> None:
    store = """
        import json, os, platformdirs

        class Aliases:
            def __init__(self, directory=None):
                self._directory = directory or platformdirs.user_config_dir("tool")

            @property
            def path(self):
                return os.path.join(self._directory, "aliases.json")

            def read(self):
                with open(self.path) as file:
                    return json.load(file)

            def write(self, aliases):
                with open(self.path, "w") as file:
                    json.dump(aliases, file)
        """
    command = """
        from app.store import Aliases

        def add(name, {given}):
            store = Aliases({given})
            aliases = store.read()
            aliases[name] = name
            store.write(aliases)
        """

    assert likely("RH405", store=store, command=command.format(given="")) == [("command.py", 7)]
    assert likely("RH405", store=store, command=command.format(given="directory")) == []


def test_one_run_reads_what_another_refreshes() -> None:
    text = """
        import json, os, time

        CACHE = os.path.join(os.path.expanduser("~"), ".tool", "latest")

        def latest():
            if os.path.exists(CACHE) and {question}:
                return json.load(open(CACHE))
            data = fetch()
            with open(CACHE, "w") as file:
                json.dump(data, file)
            return data
        """

    assert likely("RH403", tool=text.format(question="os.path.getmtime(CACHE) > time.time() - 60")) == [
        ("tool.py", 9)
    ]
    assert likely("RH403", tool=text.format(question="True")) == []


def test_thread_of_a_class_of_its_own_runs_when_processes_are_started() -> None:
    text = """
        import threading
        from concurrent.futures import ProcessPoolExecutor

        class Watcher(threading.Thread):
            def run(self):
                watch()

        def main(lines):
            watcher = Watcher()
            watcher.start()
            with ProcessPoolExecutor() as pool:
                return list(pool.map(parse, lines))
        """

    assert likely("RH209", ingest=text) == [("ingest.py", 11)]


def test_environment_that_a_worker_sets_for_itself_is_that_of_all() -> None:
    text = """
        import os, threading

        class Runner:
            def run(self, account):
                os.environ["TOKEN"] = self.tokens[account]
                os.environ["LANG"] = "C"

            def run_all(self):
                for name in self.tokens:
                    threading.Thread(target=self.run, args=(name,)).start()
        """

    assert likely("RH406", runner=text) == [("runner.py", 5)]


def test_directory_with_the_time_in_its_name_is_made_by_one_run() -> None:
    text = """
        import os
        from datetime import datetime

        class Writer:
            def __init__(self, config):
                self.name = config.name
                if self.name is None:
                    self.name = {name}
                self.log_dir = os.path.join(config.log_dir, self.name)
                if not os.path.exists(self.log_dir):
                    os.makedirs(self.log_dir)
        """

    assert likely("RH401", writer=text.format(name='"run"')) == [("writer.py", 11)]
    assert likely("RH401", writer=text.format(name='datetime.now().strftime("%H_%M_%S")')) == []


def test_file_whose_name_is_given_back_is_read_when_it_is_complete() -> None:
    text = """
        import json

        class SessionStore:
            def write(self, key, content):
                path = self.place_of(key)
                path.write_text(json.dumps(content))
                return {answer}

            def read(self, key):
                return json.loads(self.place_of(key).read_text())

            def place_of(self, key):
                return self.root / key
        """

    assert likely("RH403", store=text.format(answer="len(content)")) == [("store.py", 6)]
    assert likely("RH403", store=text.format(answer="str(path)")) == []


def test_start_file_of_a_shell_is_changed_once() -> None:
    text = """
        from pathlib import Path

        def install():
            {name} = Path.home() / ".file"
            text = {name}.read_text()
            {name}.write_text(text + "source completion")
        """

    assert likely("RH405", install=text.format(name="history")) == [("install.py", 6)]
    assert likely("RH405", install=text.format(name="rc_path")) == []
    assert likely("RH405", install=text.format(name="zshrc")) == []
