import os

STATE = "state.json"


def if_it_has_changed(text):
    if os.path.exists(STATE):
        with open(STATE, encoding="utf-8") as file:
            old = file.read()
        if old == text:
            return
    with open(STATE, "w", encoding="utf-8") as file:
        file.write(text)


def first_content(text):
    try:
        with open(STATE) as file:
            return file.read()
    except FileNotFoundError:
        with open(STATE, "w") as file:
            file.write(text)
    return text


def tested_at_once(text):
    if os.path.exists(STATE) and open(STATE).read() == text:
        return
    with open(STATE, "w") as file:
        file.write(text)


def of_another_file(other, text):
    if os.path.exists(other):
        old = open(STATE).read()
        text = old + text
    with open(STATE, "w") as file:
        file.write(text)
