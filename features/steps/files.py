import shutil
import subprocess
import sys

from behave import given, then, when
from behave.runner import Context

from drivers.command import EXAMPLE

SHARED_COUNTER = """
import threading
{imports}

class Counter:
    def __init__(self{parameters}) -> None:
        self._lock = threading.Lock()
        self.value = 0
        {refusal}

    def add(self) -> None:
        self.value += 1

    def reset(self) -> None:
        with self._lock:
            self.value = 0
"""
TROUBLE = {
    "a syntax error": b"def f(:\n",
    "a null byte": b"x = 1\0\n",
    "bad encoding": b"# coding: utf-8\nname = '\xff\xfe'\n",
}
UNUSABLE = {
    "imported": SHARED_COUNTER.format(imports="raise ImportError('no display')", parameters="", refusal=""),
    "constructed": SHARED_COUNTER.format(imports="", parameters=", gate: object", refusal="gate.swing()"),
}
MISSING = SHARED_COUNTER.format(imports="import no_such_module_anywhere", parameters="", refusal="")


@given("an empty directory")
def empty_directory(context: Context) -> None:
    assert not list(context.directory.iterdir())


@given("a copy of the circuit breaker example")
def copy_example(context: Context) -> None:
    shutil.copy(EXAMPLE, context.directory)


@given('a file "{name}" with')
def file_with(context: Context, name: str) -> None:
    (context.directory / name).write_text(context.text + "\n")


@given('a file "{name}" that holds {trouble}')
def file_with_trouble(context: Context, name: str, trouble: str) -> None:
    (context.directory / name).write_bytes(TROUBLE[trouble])


@given('a file "{name}" that cannot be {used}')
def unusable_file(context: Context, name: str, used: str) -> None:
    (context.directory / name).write_text(UNUSABLE[used])


@given('a file "{name}" that imports what is not installed')
def file_with_missing_import(context: Context, name: str) -> None:
    (context.directory / name).write_text(MISSING)


@when('I put a comment at the top of "{name}"')
def comment_at_top(context: Context, name: str) -> None:
    path = context.directory / name
    path.write_text("# a new first line\n" + path.read_text())


@then('there is no file "{name}"')
def no_file(context: Context, name: str) -> None:
    assert not (context.directory / name).exists()


@then('"{name}" is unchanged')
def unchanged(context: Context, name: str) -> None:
    assert (context.directory / name).read_text() == EXAMPLE.read_text()


@then('"{name}" contains "{text}"')
def file_contains(context: Context, name: str, text: str) -> None:
    assert text in (context.directory / name).read_text(), (context.directory / name).read_text()


@then('"{name}" still works')
def still_works(context: Context, name: str) -> None:
    command = [sys.executable, "-W", "error", name]
    done = subprocess.run(command, cwd=context.directory, capture_output=True, text=True, timeout=30, check=False)

    assert done.returncode == 0, done.stderr


@then('the breaker in "{name}" counts {expected:d} failures of {threads:d} threads as {counted:d}')
def counts_every_failure(context: Context, name: str, expected: int, threads: int, counted: int) -> None:
    code = (
        "import sys, threading; from circuit_breaker import CircuitBreaker\n"
        "sys.setswitchinterval(1e-6)\n"
        f"breaker = CircuitBreaker(); each = {expected // threads}\n"
        "work = lambda: [breaker.record_failure('x') for _ in range(each)]\n"
        f"threads = [threading.Thread(target=work) for _ in range({threads})]\n"
        "[thread.start() for thread in threads]; [thread.join() for thread in threads]\n"
        "print(breaker._failures['x'])\n"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=context.directory, capture_output=True, text=True, timeout=30, check=True)

    assert (context.directory / name).is_file()
    assert int(done.stdout) == counted
