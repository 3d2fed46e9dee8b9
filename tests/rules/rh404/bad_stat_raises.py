import os


def lock():
    try:
        os.stat("app.lock")
    except FileNotFoundError:
        pass
    else:
        raise RuntimeError("it runs already")
    with open("app.lock", "w") as file:  # RH
        file.write(str(os.getpid()))
