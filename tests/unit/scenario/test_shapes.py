"""What an argument has to be like, told by what is asked of it."""

import ast
import re
from pathlib import Path
from textwrap import dedent

import pytest

from racehound.model.proof import ScenarioText, Verdict
from racehound.pipeline.prove import prove_target, replay_token
from racehound.scenario.collaborators import is_made_up, with_one_for_all
from racehound.scenario.elements import other_names
from racehound.scenario.plan import plan_of
from racehound.scenario.shapes import shape_of


def text_for(body: str) -> str:
    code = "def f(request):\n" + "\n".join(f"    {line}" for line in dedent(body).strip().splitlines())
    return shape_of(iter([ast.parse(code)]), "request").text({})


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("use(request.user.id)", "type('StandIn', (), {'user': type('StandIn', (), {'id': 'a'})()})()"),
        ('use(request.form["name"])', "type('StandIn', (), {'form': {'name': 'a'}})()"),
        ('use(request.args.get("page", 1))', "type('StandIn', (), {'args': {'page': 'a'}})()"),
        ('if request.method == "POST": pass', "type('StandIn', (), {'method': 'POST'})()"),
        ("if request.size > 3: pass", "type('StandIn', (), {'size': 1})()"),
        ("n = int(request.size)", "type('StandIn', (), {'size': '1'})()"),
        ("request.seen = True", "type('OwnStandIn', (), {'seen': 'a'})()"),
        ("use(request.name.upper())", "type('StandIn', (), {'name': 'a'})()"),
        (
            'data = await request.json()\nuse(data["name"])',
            (
                "type('StandIn', (), {'json': "
                "(lambda *args, **kwargs: __import__('asyncio').sleep(0, {'name': 'a'}))})()"
            ),
        ),
        ('use(request["name"], request.user)', "type('StandIn', (dict,), {'user': 'a'})({'name': 'a'})"),
        ("use(request)", "'a'"),
        (
            "use(request.lock_version, request.release_date)",
            "type('StandIn', (), {'lock_version': 'a', 'release_date': 'a'})()",
        ),
        (
            "request.acquire()\nrequest.release()",
            (
                "type('StandIn', (), {'_held': (held := __import__('threading').Lock()), "
                "'acquire': held.acquire, 'release': held.release})()"
            ),
        ),
        (
            "with request: pass",
            (
                "type('StandIn', (), {'_held': (held := __import__('threading').Lock()), "
                "'__enter__': held.__enter__, '__exit__': held.__exit__})()"
            ),
        ),
        (
            "async with request.turn('a'): pass",
            (
                "type('StandIn', (), {'turn': (lambda *args, one=type('StandIn', (), "
                "{'_held': (held := __import__('asyncio').Lock()), '__aenter__': held.__aenter__, "
                "'__aexit__': held.__aexit__})(), **kwargs: one)})()"
            ),
        ),
    ],
)
def test_an_argument_has_what_is_asked_of_it(body: str, text: str) -> None:
    assert text_for(body) == text


ROOM = """
    def enter(self, handler):
        self.members.append(handler)

    def name(self, key, handler):
        self.named[key] = handler

    def say(self, text):
        for member in list(self.members):
            member.push(text)

    def whisper(self, key):
        one = self.named[key]
        other = self.named.get(key)
        for _, third in self.named.items():
            third.push(other, one)
"""


@pytest.mark.parametrize(("function", "names"), [("enter", {"member"}), ("name", {"one", "other", "third"})])
def test_what_is_kept_goes_by_the_names_by_which_it_is_taken_out(function: str, names: set[str]) -> None:
    tree = ast.parse(dedent(ROOM))
    definition = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function)

    assert other_names(definition, "handler", [tree]) == {"handler", *names}


def test_one_stand_in_is_the_same_for_all_calls_of_an_execution() -> None:
    made = with_one_for_all("subject.append(type('StandIn', (), {'close': None})())")
    assert is_made_up(made)
    plan = plan_of(ScenarioText(setup="[]", prefix=(made,), tasks=((made,),)), {})

    first, second = plan.make(), plan.make()
    plan.tasks[0][0](second)

    assert isinstance(first, list)
    assert isinstance(second, list)
    assert second[0] is second[1]
    assert first[0] is not second[0]


HUB = """
    class Hub:
        def __init__(self):
            self.clients = []

        async def join(self, client):
            self.clients.append(client)

        async def leave(self, client):
            if client in self.clients:
                await client.close()
                self.clients.remove(client)
"""


@pytest.mark.measured_children
def test_who_leaves_is_who_has_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("hub.py").write_text(dedent(HUB), encoding="utf-8")

    proof = prove_target("hub.py::Hub.leave", budget=20)

    assert proof.verdict is Verdict.RACE
    assert proof.reason.startswith("ValueError: list.remove(x): x not in list")
    assert proof.token is not None
    assert replay_token(proof.token).verdict is Verdict.RACE
    assert re.search(r"^(shared_object_\w+) = type\('SharedStandIn', ", proof.test, re.MULTILINE)
