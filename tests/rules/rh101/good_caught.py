"""The lock is held over the look and what is done when it fails; or nothing is put there."""

import threading

_lock = threading.Lock()
_links = {}
_names = {}


class Session:
    def __init__(self, name):
        self.name = name
        self.seen = []


def link(name):
    with _lock:
        try:
            return _links[name]
        except KeyError:
            _links[name] = made = Session(name)
            return made


def title(name):
    try:
        return _names[name]
    except KeyError:
        return name


def work(name):
    link(title(name)).seen.append(name)


def main(names):
    for name in names:
        threading.Thread(target=work, args=(name,)).start()
