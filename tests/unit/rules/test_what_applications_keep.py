"""Objects that a web application keeps or injects belong to all requests, also across modules."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule

METER = """
    class Meter:
        def __init__(self, store):
            self.store = store
            self.units = 0

        async def count(self, more):
            seen = self.units
            await self.store.note(seen)
            self.units = seen + more
    """
KEPT = """
    from fastapi import FastAPI
    from .meter import Meter
    from .routes import router

    app = FastAPI()
    app.include_router(router)

    @app.on_event("startup")
    async def begin():
        app.state.meter = Meter(None)
    """
KEEPER = """
    import asyncio, threading

    class Keeper:
        def __init__(self, client):
            self._lock = threading.RLock()
            self.client = client
            self.token = None

        async def get(self):
            with self._lock:
                {change}await self.client.log_in()
                return self.token

    async def main(client, urls):
        keeper = Keeper(client)
        {runs}
    """
ISSUED = """
    import asyncio

    class Gateway:
        def __init__(self, client):
            self.client = client
            self.{field} = None

        async def ensure(self):
            if self.{field} is None:
                data = await self.client.ask()
                self.{field} = data["{field}"]
            return self.{field}

    async def main(client, urls):
        gateway = Gateway(client)
        await asyncio.gather(*(gateway.ensure() for _ in urls))
    """


def sureness(code: str, **texts: str) -> list[Confidence]:
    modules = (SourceModule.from_text(dedent(text).lstrip(), f"web/{name}.py") for name, text in texts.items())
    return [item.confidence for item in rule_named(code).check(Program.of(*modules))]


@pytest.mark.parametrize(
    "body",
    [
        "    await request.app.state.meter.count(more)",
        "    meter = request.app.state.meter\n    await meter.count(more)",
        '    meter: "Meter" = request.app["meter"]\n    await meter.count(more)',
    ],
)
def test_what_the_application_keeps_is_that_of_all_requests(body: str) -> None:
    routes = f"""\
from fastapi import APIRouter
from .meter import Meter

router = APIRouter()

@router.post("/units")
async def count(more, request):
{body}
"""
    assert sureness("RH301", meter=METER, routes=routes, main=KEPT) == [Confidence.CERTAIN]


def test_what_is_made_for_each_request_belongs_to_it() -> None:
    routes = """
        from fastapi import APIRouter, Depends
        from .meter import Meter

        router = APIRouter()

        def meter():
            return Meter(None)

        @router.post("/units")
        async def count(more, meter: Meter = Depends(meter)):
            await meter.count(more)
        """
    assert sureness("RH301", meter=METER, routes=routes) == [Confidence.POSSIBLE]


@pytest.mark.parametrize(
    ("change", "runs", "sure"),
    [
        ("self.token = ", "await asyncio.gather(*(keeper.get() for _ in urls))", Confidence.LIKELY),
        ("self.token = ", "await keeper.get()", Confidence.POSSIBLE),
        ("", "await asyncio.gather(*(keeper.get() for _ in urls))", Confidence.POSSIBLE),
    ],
)
def test_reentrant_lock_matters_where_two_tasks_change_state_under_it(
    change: str, runs: str, sure: Confidence
) -> None:
    assert sureness("RH303", app=KEEPER.format(change=change, runs=runs)) == [sure]


@pytest.mark.parametrize(("field", "sure"), [("token", Confidence.LIKELY), ("limits", Confidence.POSSIBLE)])
def test_who_asks_twice_for_a_token_gets_two(field: str, sure: Confidence) -> None:
    assert sureness("RH302", app=ISSUED.format(field=field)) == [sure]
