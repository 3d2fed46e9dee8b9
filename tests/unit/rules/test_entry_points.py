"""Threads that nobody starts by name: each framework's way to call a function, with and without a lock."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule
from racehound.source.prefilter import is_worth_parsing

COUNT = "counts[key] = counts.get(key, 0) + 1"
FORMS = {
    "flask hook": """
        from flask import Flask, request
        app = Flask(__name__)
        @app.before_request
        def tally(key):
            COUNT
        """,
    "flask rule": """
        from flask import Flask
        app = Flask(__name__)
        def show(key):
            COUNT
        app.add_url_rule("/show", view_func=show)
        """,
    "wsgi application": """
        class Application:
            def __call__(self, environ, start_response):
                key = environ["PATH_INFO"]
                COUNT
        """,
    "wsgi function": """
        def application(environ, start_response):
            key = environ["PATH_INFO"]
            COUNT
        """,
    "annotated fastapi dependency": """
        from typing import Annotated
        from fastapi import Depends
        def counted(key: str = "a"):
            COUNT
        def show(number: Annotated[int, Depends(counted)]):
            return number
        """,
    "thread for each request": """
        import threading
        from flask import Flask
        app = Flask(__name__)
        def tally(key="a"):
            COUNT
        @app.route("/show")
        def show():
            threading.Thread(target=tally).start()
        """,
    "pool of the module": """
        from concurrent.futures import ThreadPoolExecutor
        def tally(key):
            COUNT
        with ThreadPoolExecutor() as pool:
            pool.map(tally, "abc")
        """,
    "pool of the program": """
        from concurrent.futures import ThreadPoolExecutor
        def tally(key):
            COUNT
        if __name__ == "__main__":
            with open("keys") as keys, ThreadPoolExecutor(4) as pool:
                list(pool.map(tally, keys))
        """,
    "audit hook": """
        import sys, threading
        def heard(key, arguments):
            COUNT
        sys.addaudithook(heard)
        """,
    "trace of all threads": """
        import threading
        def traced(frame, key, argument):
            COUNT
        threading.settrace(traced)
        """,
    "node of a template": """
        from django import template
        class Total(template.Node):
            def render(self, context):
                key = context["key"]
                COUNT
        """,
    "flask view of a class": """
        from flask.views import MethodView
        class Show(MethodView):
            def get(self, key):
                COUNT
        """,
    "fastapi dependency": """
        from fastapi import Depends
        def counted(key: str = "a"):
            COUNT
        def show(number: int = Depends(counted)):
            return number
        """,
    "fastapi background task": """
        from fastapi import BackgroundTasks, FastAPI
        def tally(key: str):
            COUNT
        async def post(key: str, tasks: BackgroundTasks):
            tasks.add_task(tally, key)
        """,
    "starlette route": """
        from starlette.routing import Route
        def show(key):
            COUNT
        routes = [Route("/", show)]
        """,
    "starlette pool": """
        from starlette.concurrency import run_in_threadpool
        def tally(key):
            COUNT
        async def show(key):
            await run_in_threadpool(tally, key)
        """,
    "falcon resource": """
        import falcon
        class Show:
            def on_get(self, key, response):
                COUNT
        app = falcon.App()
        app.add_route("/show", Show())
        """,
    "django view of a class": """
        from django.views import View
        class Show(View):
            def get(self, key):
                COUNT
        """,
    "django middleware": """
        class Tally:
            def __init__(self, get_response):
                self.get_response = get_response
            def __call__(self, key):
                COUNT
                return self.get_response(key)
        """,
    "rest framework": """
        from rest_framework.decorators import api_view
        @api_view(["GET"])
        def show(key):
            COUNT
        """,
    "bottle": """
        from bottle import route
        @route("/<key>")
        def show(key):
            COUNT
        """,
    "cherrypy": """
        import cherrypy
        class Root:
            @cherrypy.expose
            def index(self, key):
                COUNT
        """,
    "dramatiq": """
        import dramatiq
        @dramatiq.actor
        def tally(key):
            COUNT
        """,
    "huey": """
        from huey import SqliteHuey
        huey = SqliteHuey("queue")
        @huey.task()
        def tally(key):
            COUNT
        """,
    "dash": """
        import dash
        app = dash.Dash(__name__)
        @app.callback()
        def show(key):
            COUNT
        """,
    "tornado executor": """
        from tornado.concurrent import run_on_executor
        class Handler:
            @run_on_executor
            def work(self, key):
                COUNT
        """,
    "xmlrpc function": """
        from socketserver import ThreadingMixIn
        from xmlrpc.server import SimpleXMLRPCServer
        class Server(ThreadingMixIn, SimpleXMLRPCServer):
            pass
        def tally(key):
            COUNT
        Server(("localhost", 8000)).register_function(tally)
        """,
    "xmlrpc object": """
        from socketserver import ThreadingMixIn
        from xmlrpc.server import SimpleXMLRPCServer
        class Server(ThreadingMixIn, SimpleXMLRPCServer):
            pass
        class Service:
            def tally(self, key):
                COUNT
        Server(("localhost", 8000)).register_instance(Service())
        """,
    "wsgi": """
        from socketserver import ThreadingMixIn
        from wsgiref.simple_server import WSGIServer, make_server
        class Server(ThreadingMixIn, WSGIServer):
            pass
        def app(key, start_response):
            COUNT
        make_server("", 8000, app, server_class=Server).serve_forever()
        """,
    "grpc": """
        import tally_pb2_grpc
        class Tally(tally_pb2_grpc.TallyServicer):
            def Count(self, key, context):
                COUNT
        """,
    "joblib": """
        from joblib import Parallel, delayed
        def work(key):
            COUNT
        def main(keys):
            Parallel(n_jobs=4, backend="threading")(delayed(work)(key) for key in keys)
        """,
    "asgiref": """
        from asgiref.sync import sync_to_async
        def work(key):
            COUNT
        async def main(key):
            await sync_to_async(work, thread_sensitive=False)(key)
        """,
    "task that goes to a thread": """
        import anyio
        from anyio import to_thread
        def work(key):
            COUNT
        async def main(group, keys):
            for key in keys:
                group.start_soon(to_thread.run_sync, work, key)
        """,
    "qt": """
        from PyQt5.QtCore import QThread
        def bump(key):
            COUNT
        class Worker(QThread):
            def run(self):
                bump("worker")
        def main():
            for _ in range(3):
                Worker().start()
        """,
    "hook for failed threads": """
        import threading
        def hook(key):
            COUNT
        threading.excepthook = hook
        """,
    "watchdog": """
        from watchdog.events import FileSystemEventHandler
        from watchdog.observers import Observer
        def bump(key):
            COUNT
        class Handler(FileSystemEventHandler):
            def on_modified(self, event):
                bump(event.src_path)
        def main(path):
            observer = Observer()
            observer.schedule(Handler(), path)
            observer.start()
            bump("main")
        """,
    "apscheduler": """
        from apscheduler.schedulers.background import BackgroundScheduler
        def bump(key="job"):
            COUNT
        def main():
            scheduler = BackgroundScheduler()
            scheduler.add_job(bump, "interval", seconds=1)
            scheduler.start()
            bump("main")
        """,
    "mqtt": """
        import paho.mqtt.client as mqtt
        def bump(key):
            COUNT
        def on_message(client, userdata, message):
            bump(message.topic)
        def main():
            client = mqtt.Client()
            client.on_message = on_message
            client.loop_start()
            bump("main")
        """,
}


RARE = {
    "celery task": """
        from celery import Celery
        app = Celery("tasks")
        @app.task
        def tally(key):
            COUNT
        """,
    "shared celery task": """
        from celery import shared_task
        @shared_task
        def tally(key):
            COUNT
        """,
    "rq job": """
        from rq.decorators import job
        @job("default")
        def tally(key):
            COUNT
        """,
}
"""What runs in several threads only as it is configured, or hardly ever."""


def accused(form: str, lock: str, *, is_plain: bool = False) -> list[Confidence]:
    """A counter, held by `lock` if that is given."""
    lines = dedent(form).strip().splitlines()
    body: list[str] = []
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        inside = [f"{indent}with {lock}:", f"{indent}    {COUNT}"] if lock else [f"{indent}{COUNT}"]
        body.extend(inside if line.strip() == "COUNT" else [line])
    head = ["import threading", "guard = threading.Lock()"] if lock else []
    text = "\n".join([*head, "counts = {}", *body, ""])
    assert is_plain or is_worth_parsing(text.encode())
    program = Program.of(SourceModule.from_text(text))
    return [finding.confidence for finding in rule_named("RH102").check(program)]


@pytest.mark.parametrize("name", FORMS)
def test_what_a_framework_calls_in_threads_is_accused(name: str) -> None:
    assert accused(FORMS[name], "") == [Confidence.CERTAIN]


@pytest.mark.parametrize("name", RARE)
def test_what_may_never_run_in_two_threads_is_possible(name: str) -> None:
    assert accused(RARE[name], "", is_plain=True) == [Confidence.POSSIBLE]


def test_thread_that_each_request_starts_on_an_object_of_its_own_is_not_accused() -> None:
    text = """
        import threading
        from flask import Flask
        app = Flask(__name__)
        class Job:
            def __init__(self):
                self.steps = 0
            def go(self):
                threading.Thread(target=self.work).start()
            def work(self):
                steps = self.steps
                print(steps)
                self.steps = steps + 1
        @app.route("/show")
        def show():
            Job().go()
        """
    program = Program.of(SourceModule.from_text(dedent(text)))

    assert list(rule_named("RH102").check(program)) == []


def test_handler_of_a_log_meets_whoever_goes_through_its_records() -> None:
    text = """
        import logging
        class Records(logging.Handler):
            def __init__(self):
                super().__init__()
                self.seen = {}
            def emit(self, record):
                self.seen[record.name] = record
            def show(self):
                for name in self.seen:
                    print(name)
        """
    program = Program.of(SourceModule.from_text(dedent(text)))

    (finding,) = rule_named("RH103").check(program)
    assert finding.confidence is Confidence.POSSIBLE
    assert finding.second.context == "whichever thread logs, defined at module.py:7"


@pytest.mark.parametrize("name", FORMS)
def test_the_same_under_a_lock_is_not(name: str) -> None:
    assert accused(FORMS[name], "guard") == []


@pytest.mark.parametrize(
    ("name", "threads", "none"),
    [
        ("joblib", '"threading"', '"loky"'),
        ("asgiref", "thread_sensitive=False", "thread_sensitive=True"),
        ("mqtt", "loop_start", "loop_forever"),
        ("apscheduler", "BackgroundScheduler", "AsyncIOScheduler"),
        ("xmlrpc function", "ThreadingMixIn, SimpleXMLRPCServer", "SimpleXMLRPCServer"),
        ("dramatiq", "def tally", "async def tally"),
    ],
)
def test_the_same_without_threads_is_not(name: str, threads: str, none: str) -> None:
    form = FORMS[name].replace(threads, none).replace("from socketserver import ThreadingMixIn", "import socket")

    assert accused(form, "") == []
