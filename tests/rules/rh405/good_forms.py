import json

from filelock import FileLock

CONFIG = "config.json"
GUARD = FileLock("config.guard.lock")


def locked(key, value):
    with FileLock(CONFIG + ".guard"):
        with open(CONFIG) as file:
            config = json.load(file)
        config[key] = value
        with open(CONFIG, "w") as file:
            json.dump(config, file)


def locked_variable(key, file_lock):
    with file_lock:
        text = open(CONFIG).read()
        with open(CONFIG, "w") as file:
            file.write(text + key)


def only_if_asked(text, compare):
    if compare:
        text += open(CONFIG).read()
    with open(CONFIG, "w") as file:
        file.write(text)


def copies(source, target):
    text = open(source).read()
    with open(target, "w") as file:
        file.write(text)


def write_then_read():
    with open(CONFIG, "w") as file:
        file.write("")
    return open(CONFIG).read()


def one_or_the_other(flag):
    if flag:
        return open(CONFIG).read()
    with open(CONFIG, "w") as file:
        file.write("")


def own(temp_file):
    text = open(temp_file).read()
    with open(temp_file, "w") as file:
        file.write(text)
