"""Packages that are not installed."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from racehound.engine.control import CONTROL
from racehound.model.proof import Proof, Verdict
from racehound.pipeline.prove import prove_target, replay_token
from racehound.scenario.absent import ABSENT, AbsentPackages
from racehound.scenario.absent_objects import TEXT, AbsentError, AbsentObject, Anything, member

HANDLER = """
    from no_such_framework import App, jsonify, request

    app = App(__name__)
    seats = {"left": 1}

    @app.post("/seats")
    def take():
        if seats["left"] > 0:
            seats["left"] -= 1
            return jsonify(seat=seats["left"], name=request.json["name"])
        return jsonify(seat=None), 410
"""

LOCKED = """
    import threading

    from no_such_framework import App

    app = App()
    lock = threading.Lock()
    left = 0

    @app.get("/")
    def take():
        global left
        with lock:
            left += 1
            return left
"""

GUARDED = """
    from no_such_locks import RWLock, take_lock

    class Stock:
        def __init__(self):
            self._lock = RWLock()
            self.left = 0

        {decorator}
        def add(self):
            {taking}
                self.left += 1
"""


@pytest.fixture(autouse=True)
def _in_a_directory_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def missing() -> Iterator[AbsentPackages]:
    packages = AbsentPackages()
    sys.meta_path.append(packages)
    yield packages
    sys.meta_path.remove(packages)
    for name in [name for name in sys.modules if name.startswith("no_such_package")]:
        del sys.modules[name]


@pytest.mark.measured_children
def test_a_handler_is_raced_without_its_framework() -> None:
    Path("seats.py").write_text(dedent(HANDLER), encoding="utf-8")

    proof = prove_target("seats.py::take", budget=20)

    assert proof.verdict is Verdict.RACE
    assert proof.reason.endswith("(not installed beside racehound, so made up: no_such_framework)")
    assert proof.token is not None
    assert replay_token(proof.token).verdict is Verdict.RACE
    assert "pytest.importorskip('no_such_framework')\nfrom seats import take" in proof.test


@pytest.mark.measured_children
def test_nothing_is_called_safe_beside_what_was_made_up() -> None:
    Path("seats.py").write_text(dedent(LOCKED), encoding="utf-8")

    proof = prove_target("seats.py::take", budget=20)

    assert proof.verdict is Verdict.SAMPLED
    assert "so made up: no_such_framework" in proof.reason


@pytest.mark.measured_children
@pytest.mark.parametrize(
    ("decorator", "taking"),
    [
        ("", "with self._lock:"),
        ("", "with self._lock.write_lock('left'):"),
        ("", "self._lock.acquire()\n            try:"),
        ("@take_lock", "if True:"),
        ("@take_lock('left')", "if True:"),
    ],
)
def test_what_goes_by_the_name_of_a_lock_keeps_others_out(decorator: str, taking: str) -> None:
    text = GUARDED.format(decorator=decorator, taking=taking)
    ending = "            finally:\n                self._lock.release()\n" if "try:" in taking else ""
    Path("stock.py").write_text(dedent(text + ending), encoding="utf-8")

    assert prove_target("stock.py::Stock", budget=20).verdict is Verdict.SAMPLED


@pytest.mark.measured_children
def test_a_race_beside_a_lock_that_is_made_up_is_one() -> None:
    text = GUARDED.format(decorator="", taking="with self._lock: pass\n            if True:")
    Path("stock.py").write_text(dedent(text), encoding="utf-8")

    assert prove_target("stock.py::Stock", budget=20).verdict is Verdict.RACE


@pytest.mark.measured_children
def test_a_call_that_may_have_taken_a_lock_leaves_a_race_in_doubt() -> None:
    text = GUARDED.format(decorator="", taking="take_lock('left', 2)\n            if True:")
    Path("stock.py").write_text(dedent(text), encoding="utf-8")

    proof = prove_target("stock.py::Stock", budget=20)

    assert proof.verdict is Verdict.INCONCLUSIVE
    assert proof.reason.startswith("no_such_locks.take_lock may keep others out")


def test_only_packages_of_others_are_made_up(tmp_path: Path) -> None:
    packages = AbsentPackages()
    (tmp_path / "own").mkdir()

    assert packages.make_up(ModuleNotFoundError(name="flask"), tmp_path)
    assert not packages.make_up(ModuleNotFoundError(name="flask"), tmp_path)
    assert not packages.make_up(ModuleNotFoundError(name="own.part"), tmp_path)
    assert not packages.make_up(ModuleNotFoundError(name="winreg"), tmp_path)
    assert not packages.make_up(ModuleNotFoundError(), tmp_path)
    assert packages.names == ["flask"]


def test_a_module_below_what_is_made_up_can_be_imported(missing: AbsentPackages) -> None:
    missing.names.append("no_such_package")

    from no_such_package.deep import thing  # type: ignore[import-not-found]  # noqa: PLC0415 - that is the test

    assert repr(thing) == "deep.thing"
    assert missing.find_spec("another", None) is None


def test_a_proof_says_what_was_made_up() -> None:
    packages = AbsentPackages()
    safe = Proof(verdict=Verdict.SAFE, reason="all tried", executions=3)
    assert packages.told_of(safe) is safe
    packages.names += ["flask", "flask.views"]

    assert packages.told_of(safe).verdict is Verdict.SAMPLED
    assert packages.told_of(safe).reason.endswith("so made up: flask")
    assert ABSENT.names == []


def test_decorators_leave_functions_as_they_are() -> None:
    app = member("web.App")()

    def handler() -> None: ...

    assert app.get("/x")(handler) is handler
    assert app.on_startup(handler) is handler


def test_classes_can_be_derived_from_and_have_what_they_declare() -> None:
    base = member("models.BaseModel")

    class Item(base):  # type: ignore[misc, valid-type]  # made up
        name: str
        price: "int"
        left: int = 5

    item = Item(name="tea", sold=2)
    assert (item.name, item.price, item.left, item.sold) == ("tea", 1, 5, 2)
    assert not hasattr(item, "_cache")
    assert isinstance(item, AbsentObject)


def test_exceptions_can_be_raised() -> None:
    with pytest.raises(AbsentError):
        raise member("web.HTTPException")(404, detail="gone")
    with pytest.raises(AbsentError):
        Anything("web.abort")(404)


def test_a_value_can_be_asked_for_anything_and_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    request = Anything("web.request", 1)
    request.user = "eve"
    request["user"] = "eve"

    assert request["user"] == TEXT
    assert repr(request.user) == "web.request.user"
    assert request.form.get("name") == Anything("web.request.form.get()", 3, ("name",))
    monkeypatch.setattr(CONTROL, "execution", object())
    assert request.form.get("name") == TEXT


def test_a_value_can_be_awaited_and_entered() -> None:
    async def work() -> object:
        async with Anything("client.get")("/") as answer:
            return await answer.json()

    assert repr(asyncio.run(work())) == "client.get().json()"


def test_what_is_put_into_an_object_of_a_made_up_class_stays_there() -> None:
    table = member("store.Table")()
    table["a"] = 1
    table.name = "x"

    assert (table["a"], table["b"], table.name) == (1, TEXT, "x")
    assert "a" in table
    assert "b" not in table
    assert list(table) == []
    assert type(table)[int] is type(table)
    assert repr(type(table).objects) == "Table.objects"
    with table as entered:
        assert entered is table
    assert repr(table("a")) == "Table('a')"
    assert repr(table.rows) == "Table.rows"
    with pytest.raises(AttributeError):
        _ = type(table)._hidden


def test_a_value_of_which_nothing_is_known_is_something_everywhere() -> None:
    value: Any = Anything("settings.limit", 1)
    del value["a"]

    assert (int(value), float(value)) == (1, 1.0)
    assert list(value) == []
    assert "a" not in value
    assert (value | int) is value
    assert (int | value) is value
    assert len({value, Anything("settings.limit", 2)}) == 1
    with value as entered:
        assert entered is value
    with pytest.raises(AttributeError):
        _ = value._hidden


def test_what_a_made_up_object_streams_is_nothing() -> None:
    async def collect() -> list[object]:
        async with member("client.Session")() as session:
            return [item async for item in session.lines()]

    assert asyncio.run(collect()) == []


def test_a_class_that_is_decorated_is_a_data_class() -> None:
    class Item:
        name: str

    made = member("models.define")(Item)

    assert made(name="tea").name == "tea"
