import json


def save_config(path, config):
    with open(path, "w") as file:  # RH
        json.dump(config, file)


def load_config(path):
    with open(path) as file:
        return json.load(file)
