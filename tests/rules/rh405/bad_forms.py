import json
import os

CONFIG = "config.json"


def _read():
    with open(CONFIG) as file:
        return json.load(file)


def _write(config):
    with open(CONFIG + ".new", "w") as file:
        json.dump(config, file)
    os.replace(CONFIG + ".new", CONFIG)


def set_value(key, value):
    config = _read()
    config[key] = value
    _write(config)  # RH


def add_line(path, line):
    lines = open(path).readlines()
    lines.append(line)
    with open(path, "w") as file:  # RH
        file.writelines(lines)


class Counter:
    def bump(self):
        value = int(self.file.read_text())
        self.file.write_text(str(value + 1))  # RH


class PidFile:
    """One fault: whoever calls `create` adds nothing to it."""

    def __init__(self, name):
        self.name = name

    def create(self, pid):
        with open(self.name) as file:
            old = file.read()
        with open(self.name, "w") as file:  # RH
            file.write(old + pid)

    def move(self, name, pid):
        self.create(pid)
