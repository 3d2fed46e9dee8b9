import json

CONFIG = "config.json"


def load():
    with open(CONFIG) as file:
        return json.load(file)


def save(config):
    with open(CONFIG, "w") as file:  # RH
        json.dump(config, file)
