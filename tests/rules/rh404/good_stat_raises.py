import os


def refresh():
    try:
        os.stat("app.lock")
    except FileNotFoundError:
        raise RuntimeError("it does not run") from None
    with open("app.lock", "w") as file:
        file.write(str(os.getpid()))


def touch():
    try:
        print(os.stat("other.lock").st_mtime)
    except FileNotFoundError:
        print("new")
    with open("other.lock", "w") as file:
        file.write(str(os.getpid()))
