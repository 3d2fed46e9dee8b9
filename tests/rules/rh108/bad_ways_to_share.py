import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from django.urls import path
from fastapi import FastAPI

app = FastAPI()
request_id = None
language = None
depth = None


@app.get("/orders")
def orders(number: int):
    global request_id
    request_id = make_id(number)  # RH
    return log(request_id)


def view(request, code):
    global language
    language = code  # RH
    return translate()


def translate():
    return language.upper()


urlpatterns = [path("view/", view)]


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        descend(self.path)


def descend(where):
    global depth
    depth = where  # RH
    print(depth)


def make_id(number):
    return number


def log(text):
    return text


class Callable:
    """An object that several threads call."""

    def __init__(self):
        self.argument = None

    def __call__(self, argument):
        self.argument = argument  # RH
        return self.argument + 1


def run(items):
    shared = Callable()
    with ThreadPoolExecutor() as pool:
        for item in items:
            pool.submit(shared.__call__, item)


class Job(threading.Thread):
    def __init__(self, name):
        super().__init__()
        self.title = name

    def run(self):
        work(self.title)


current = None


def work(title):
    global current
    current = title  # RH
    print(current)


def main():
    for name in "abc":
        Job(name).start()
    ThreadingHTTPServer(("", 8000), Handler).serve_forever()
