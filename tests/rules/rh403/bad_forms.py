import json
from pathlib import Path

STATE = Path("state.json")


def read_state():
    return json.loads(STATE.read_text())


def write_state(state):
    STATE.write_text(json.dumps(state))  # RH


class Base:
    def _read(self):
        return open(self._file).read()

    def store(self, text):
        with self._file.open("w") as file:  # RH
            file.write(text)
