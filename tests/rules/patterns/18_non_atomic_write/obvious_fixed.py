import json
import os

CONFIG = "config.json"


def load():
    with open(CONFIG) as file:
        return json.load(file)


def save(config):
    with open(CONFIG + ".new", "w") as file:
        json.dump(config, file)
    os.replace(CONFIG + ".new", CONFIG)
