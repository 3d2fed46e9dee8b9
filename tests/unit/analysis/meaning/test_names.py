import pytest

from racehound.analysis.meaning.names import Names, dotted_path
from racehound.source.events import Place
from racehound.source.extraction import extract
from racehound.source.facts import ModuleFacts
from racehound.source.module import SourceModule


def module(path: str, text: str = "") -> ModuleFacts:
    return extract(SourceModule.from_text(text, path))


def test_path_becomes_a_dotted_name() -> None:
    assert dotted_path("src/pkg/mod.py") == "src.pkg.mod"
    assert dotted_path("/abs/pkg/__init__.py") == "abs.pkg"
    assert dotted_path("gui.pyw") == "gui"
    assert dotted_path("../pkg/mod.py") == "pkg.mod"


@pytest.mark.parametrize(
    ("importing", "place"),
    [
        ("from pkg.breaker import Breaker", Place("Breaker")),
        ("from .breaker import Breaker as B", Place("B")),
        ("from . import breaker", Place("breaker", ("Breaker",))),
        ("import pkg.breaker", Place("pkg", ("breaker", "Breaker"))),
        ("from breaker import Breaker", Place("Breaker")),
        ("from pkg import Breaker", Place("Breaker")),
        ("from . import Breaker", Place("Breaker")),
    ],
)
def test_imports_are_followed_to_the_definition(importing: str, place: Place) -> None:
    breaker = module("src/pkg/breaker.py", "class Breaker: pass")
    package = module("src/pkg/__init__.py", "from .breaker import Breaker")
    user = module("src/pkg/user.py", importing)

    assert Names([breaker, package, user]).resolve(user, place) is breaker.classes[0]


def test_names_outside_the_program_keep_their_dotted_name() -> None:
    user = module("user.py", "import threading as t\nfrom concurrent import futures\nfrom gone import Thing")
    names = Names([user])

    assert names.resolve(user, Place("t", ("Lock",))) == "threading.Lock"
    assert names.resolve(user, Place("futures", ("Future",))) == "concurrent.futures.Future"
    assert names.resolve(user, Place("Thing")) == "gone.Thing"
    assert names.resolve(user, Place("dict")) == "dict"


def test_module_itself_can_be_meant() -> None:
    tools, user = module("pkg/tools.py"), module("pkg/user.py", "from pkg import tools")

    assert Names([tools, user]).resolve(user, Place("tools")) is tools


def test_variable_and_missing_member_mean_nothing() -> None:
    user = module("user.py", "x = 1\nclass C: pass")
    names = Names([user])

    assert names.resolve(user, Place("x")) is None
    assert names.resolve(user, Place("C", ("missing",))) is None


def test_standard_library_is_never_taken_for_a_file_of_that_name() -> None:
    own, user = module("pkg/queue.py", "class Queue: pass"), module("user.py", "from queue import Queue")

    assert Names([own, user]).resolve(user, Place("Queue")) == "queue.Queue"


def test_ambiguous_module_is_the_one_beside_the_importer_or_none() -> None:
    first, second = module("a/tools.py", "class T: pass"), module("b/tools.py", "class T: pass")
    beside, apart = module("a/user.py", "from tools import T"), module("c/user.py", "from tools import T")
    names = Names([first, second, beside, apart])

    assert names.resolve(beside, Place("T")) is first.classes[0]
    assert names.resolve(apart, Place("T")) == "tools.T"


def test_imports_in_a_circle_end() -> None:
    first, second = module("a.py", "from b import X"), module("b.py", "from a import X")

    assert Names([first, second]).resolve(first, Place("X")) == "b.X"


def test_package_that_imports_from_above_is_resolved() -> None:
    base = module("src/pkg/base.py", "class Base: pass")
    package = module("src/pkg/sub/__init__.py", "from ..base import Base")
    deep = module("src/pkg/sub/deep.py", "from ..base import Base")
    names = Names([base, package, deep])

    assert names.resolve(package, Place("Base")) is base.classes[0]
    assert names.resolve(deep, Place("Base")) is base.classes[0]


def test_module_inside_a_package_is_not_what_a_bare_name_means_elsewhere() -> None:
    package, event = module("orm/__init__.py"), module("orm/event/__init__.py")
    attr = module("orm/event/attr.py", "def field(): pass")
    client, beside = module("web/client.py", "import attr"), module("orm/event/api.py", "import attr")
    names = Names([package, event, attr, client, beside])

    assert names.resolve(client, Place("attr", ("field",))) == "attr.field"
    assert names.resolve(beside, Place("attr", ("field",))) is attr.functions[1]
