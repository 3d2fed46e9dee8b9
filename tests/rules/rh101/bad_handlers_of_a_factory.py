from flask import Flask


class Flags:
    def __init__(self):
        self._entries = {}

    def put(self, name, value):
        self._entries[name] = value

    def lookup(self, name):
        if name in self._entries:  # RH
            return self._entries[name]
        return None

    def purge(self, name):
        self._entries.pop(name, None)


class Seats:
    def __init__(self):
        self._holders = {}

    def holder(self, label):
        if label in self._holders:  # RH
            return self._holders[label]
        return None

    def free(self, label):
        del self._holders[label]

    def hold(self, label, who):
        self._holders[label] = who


flags = Flags()
seats = Seats()


def create_app():
    app = Flask("flags")

    @app.get("/flags/<name>")
    def read(name):
        return flags.lookup(name)

    @app.put("/flags/<name>")
    def write(name):
        flags.put(name, True)
        return ""

    @app.delete("/flags/<name>")
    def drop(name):
        flags.purge(name)
        return ""

    return app


def register(blueprint):
    @blueprint.get("/seats/<label>")
    def holder(label):
        return seats.holder(label)

    @blueprint.put("/seats/<label>/<who>")
    def hold(label, who):
        seats.hold(label, who)
        return ""

    @blueprint.delete("/seats/<label>")
    def free(label):
        seats.free(label)
        return ""
