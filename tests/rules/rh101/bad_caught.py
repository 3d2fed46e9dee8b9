"""Whoever catches that there is nothing makes it, and so does the next one."""

import socketserver
import threading

_sessions = {}


class Session:
    def __init__(self, name):
        self.name = name
        self.seen = []


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        name = self.client_address[0]
        try:
            session = _sessions[name]  # RH
        except KeyError:
            session = _sessions[name] = Session(name)
        session.seen.append(self.request)


socketserver.ThreadingTCPServer(("", 0), Handler)

_links = {}


def link(name):
    try:
        return _links[name]  # RH
    except KeyError:
        pass
    made = Session(name)
    _links[name] = made
    return made


def work(name):
    link(name).seen.append(name)


def main(names):
    for name in names:
        threading.Thread(target=work, args=(name,)).start()
