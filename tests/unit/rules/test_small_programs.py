"""Small programs, as one writes them to try the tool: each fault is told at the usual confidence, no twin is."""

from textwrap import dedent
from typing import NamedTuple

import pytest

from racehound.model.finding import Confidence
from racehound.pipeline.hunt import hunt_text


class Case(NamedTuple):
    rule: str
    racy: str
    old: str
    new: str
    """What is put in the place of `old` in the twin."""


SEATS = """
    from flask import Flask
    app = Flask(__name__)
    class SeatMap:
        def __init__(self):
            self._taken = {}
        def _is_free(self, seat):
            return seat not in self._taken
        def reserve(self, seat, customer):
            if not self._is_free(seat):
                return False
            self._taken[seat] = customer
            return True
    hall = SeatMap()
    @app.route("/reserve/<seat>")
    def reserve(seat):
        return str(hall.reserve(seat, "me"))
    """

MODEL = """
    import threading
    def load_model(path):
        with open(path, "rb") as handle:
            return handle.read()
    class ModelHolder:
        def __init__(self, path):
            self.path = path
            self._model = None
        @property
        def model(self):
            if self._model is None:
                self._model = load_model(self.path)
            return self._model
        def predict(self, row):
            return hash((self.model, row))
    def serve(holder, rows):
        workers = [threading.Thread(target=holder.predict, args=(row,)) for row in rows]
        for worker in workers:
            worker.start()
    """

LAZY = """
    from flask import Flask
    app = Flask(__name__)
    class Lazy:
        def __init__(self, factory):
            self._factory = factory
            self._value = None
        def get(self):
            if self._value is None:
                self._value = self._factory()
            return self._value
    table = Lazy(lambda: read("table"))
    @app.get("/")
    def index():
        return str(table.get())
    """

WALLET = """
    from aiohttp import web
    class Wallet:
        def __init__(self, store):
            self.store = store
            self.balance = 0
        async def deposit(self, amount):
            before = self.balance
            await self.store.audit("deposit", amount)
            self.balance = before + amount
    async def handle(request):
        wallet = request.app["wallet"]
        await wallet.deposit(1)
        return web.Response()
    def make_app(store):
        app = web.Application()
        app["wallet"] = Wallet(store)
        app.router.add_post("/deposit", handle)
        return app
    """

BANK = """
    import threading
    class Account:
        def __init__(self, balance):
            self.balance = balance
            self.lock = threading.Lock()
        def deposit(self, amount):
            with self.lock:
                self.balance += amount
    class Bank:
        def transfer(self, source: Account, target: Account, amount):
            with source.lock:
                source.balance -= amount
                target.deposit(amount)
    """

SINGLE = '''
    """Process wide registry, used from all request threads."""
    class SingleMeta(type):
        _instances = {}
        def __call__(cls, *args):
            if cls not in cls._instances:
                cls._instances[cls] = super().__call__(*args)
            return cls._instances[cls]
    '''

HOOKS = """
    import asyncio
    class Dispatcher:
        async def _post(self, url):
            await self.client.post(url)
        def dispatch(self, url):
            return asyncio.ensure_future(self._post(url))
    dispatcher = Dispatcher()
    async def handle(url):
        dispatcher.dispatch(url)
    """

JOBS = """
    import asyncio
    class Runner:
        def __init__(self, backend):
            self._backend = backend
            self._lock = asyncio.Lock()
            self._running = {}
        async def submit(self, job):
            async with self._lock:
                handle = await self._backend.start(job)
                self._running[job] = handle
        async def status(self, job):
            async with self._lock:
                return self._running.get(job)
    """

RATES = """
    import asyncio
    class Rates:
        def __init__(self, session):
            self._session = session
            self._lock = asyncio.Lock()
            self._rates = {}
        async def _download(self, symbol):
            return await self._session.get(symbol)
        async def refresh(self, symbol):
            async with self._lock:
                self._rates.clear()
                rate = await self._download(symbol)
                print(rate)
        async def get(self, symbol):
            async with self._lock:
                return self._rates.get(symbol)
    """

UPLOADS = """
    import os
    from flask import Flask, abort, request
    app = Flask(__name__)
    class Storage:
        def __init__(self, root):
            self.root = root
        def locate(self, name):
            return os.path.join(self.root, name)
        def available(self, name):
            return not os.path.exists(self.locate(name))
    storage = Storage("/srv/uploads")
    @app.post("/files/<name>")
    def upload(name):
        if not storage.available(name):
            abort(409)
        with open(storage.locate(name), "wb") as out:
            out.write(request.get_data())
        return ""
    """

LIMITS = """
    from django.http import HttpResponse
    rejected = 0
    def allow(client):
        global rejected
        rejected += 1
        return rejected < 100
    def search(request):
        return HttpResponse(status=200 if allow(request) else 429)
    """

STOCK = """
    import threading
    class Inventory:
        def __init__(self):
            self._lock = threading.Lock()
            self._stock = {}
        def remove(self, sku, n):
            with self._lock:
                self._stock[sku] -= n
        def reset(self, sku):
            self._stock[sku] = 0
    """

POLLED = """
    import asyncio
    async def poll(url):
        await asyncio.sleep(1)
        raise ConnectionError(url)
    async def main():
        task = asyncio.create_task(poll("a"))
        await asyncio.sleep(5)
        print(task.done())
    asyncio.run(main())
    """

SAVED = """
    import json
    def save_config(config):
        with open("data.json", "w") as file:
            json.dump(config, file)
    """

OPENED = """
    import yaml
    class UserConfig:
        def __init__(self, path):
            self.path = path
            self.values = {}
        @classmethod
        def open(cls, path):
            config = cls(path)
            config.values = yaml.safe_load(path.read_text())
            return config
        def save(self):
            self.path.write_text(yaml.safe_dump(self.values))
    """

CHANGED = """
    import json
    def set_option(config_file, key, value):
        with open(config_file) as file:
            config = json.load(file)
        config[key] = value
        with open(config_file, "w") as file:
            json.dump(config, file)
    """

CASES = {
    "a claim whose answer says who has it": Case("RH101", SEATS, "customer\n            return True", "1"),
    "a model that threads read from a file": Case("RH105", MODEL, "holder.predict, ", "print, "),
    "what an object was given to make": Case("RH105", LAZY, "self._factory()", "len(self.name)"),
    "what the application keeps": Case("RH301", WALLET, "= before + amount", "+= amount"),
    "two objects that were given, one by a method": Case(
        "RH202", BANK, "with source.lock", "with Account(0).lock"
    ),
    "objects that all threads use": Case("RH106", SINGLE, "used from all request threads", "small"),
    "a task that is handed out": Case(
        "RH305", HOOKS, "dispatcher.dispatch(url)\n    ", "return dispatcher.dispatch(url)"
    ),
    "a lock that others want for a moment": Case(
        "RH304", JOBS, "self._running.get(job)", "await self._backend.ask(job)"
    ),
    "a lock that is held while a helper waits": Case("RH304", RATES, "print(rate)", "self._rates[symbol] = rate"),
    "what comes after an abort": Case("RH401", UPLOADS, '"wb"', '"xb"'),
    "a lock that is held over what comes from outside": Case(
        "RH304", RATES, "self._session.get(symbol)", "asyncio.to_thread(parse, symbol)"
    ),
    "a view by its form": Case("RH102", LIMITS, "def search(request)", "def search(text)"),
    "one entry begins anew": Case("RH107", STOCK, "self._stock[sku] = 0", "with self._lock: self._stock[sku] = 0"),
    "a task that is only asked whether it is done": Case("RH305", POLLED, "print(task.done())", "await task"),
    "settings that nobody here reads": Case("RH403", SAVED, "save_config", "save_weights"),
    "a path that was read before the object had it": Case(
        "RH403", OPENED, "self.path.write_text(yaml.safe_dump(self.values))", "os.replace(draft, self.path)"
    ),
    "settings that are read and written back": Case("RH405", CHANGED, "config_file", "place"),
}


def accused(case: Case, text: str) -> bool:
    findings, _, _ = hunt_text(dedent(text).encode(), "module.py", confidence=Confidence.LIKELY)
    return any(finding.rule == case.rule for finding in findings)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_fault_is_told_and_its_twin_is_not(case: Case) -> None:
    assert case.old in case.racy
    assert accused(case, case.racy)
    assert not accused(case, case.racy.replace(case.old, case.new))
