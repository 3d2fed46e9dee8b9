from collections import defaultdict
from threading import Lock, Thread

rooms = {}


def join(room, member):
    members = rooms.setdefault(room, set())
    members.add(member)


def say(room):
    members = rooms.get(room)  # RH
    if members is None:
        return
    for member in members:
        member.send(room)


def names(room):
    return [member.name for member in rooms[room]]  # RH


for number in range(4):
    Thread(target=join, args=("a", number)).start()
    Thread(target=say, args=("a",)).start()
    Thread(target=names, args=("a",)).start()


class Hub:
    def __init__(self):
        self._lock = Lock()
        self._listeners = defaultdict(set)
        self._fields = {}

    def add(self, topic, listener):
        with self._lock:
            self._listeners[topic].add(listener)

    def drop(self, topic, listener):
        with self._lock:
            self._listeners[topic].discard(listener)

    def fire(self, topic):
        with self._lock:
            listeners = self._listeners[topic]  # RH
        for listener in listeners:
            listener(topic)

    def fire_unguarded(self, topic):
        for listener in self._listeners[topic]:  # RH
            listener(topic)

    def put(self, row, name, value):
        with self._lock:
            self._fields.setdefault(row, {})
            self._fields[row][name] = value

    def show(self, row):
        return [f"{name}={value}" for name, value in self._fields[row].items()]  # RH
