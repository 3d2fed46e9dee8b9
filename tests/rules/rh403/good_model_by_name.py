import json


def save_weights(path, weights):
    with open(path, "w") as file:
        json.dump(weights, file)


def load_weights(path):
    with open(path) as file:
        return json.load(file)


def save_config(path, config):
    with open(path, "w") as file:
        json.dump(config, file)


def load_settings(path):
    with open(path) as file:
        return json.load(file)
