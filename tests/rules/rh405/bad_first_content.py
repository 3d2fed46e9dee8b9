import json
import os
from pathlib import Path

STATE = Path("state.json")


def in_one_line(key, value):
    data = json.loads(STATE.read_text()) if STATE.exists() else {}
    data[key] = value
    STATE.write_text(json.dumps(data))  # RH


def looked_for_first(key, value):
    data = {}
    if os.path.exists(STATE):
        with open(STATE, encoding="utf-8") as file:
            data = json.load(file)
    data[key] = value
    with open(STATE, "w", encoding="utf-8") as file:  # RH
        json.dump(data, file)


def tried_first(key, value):
    try:
        with open(STATE) as file:
            data = json.load(file)
    except FileNotFoundError:
        data = {}
    data[key] = value
    with open(STATE, "w") as file:  # RH
        json.dump(data, file)
