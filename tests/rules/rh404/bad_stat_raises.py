import os
import time


def lock():
    try:
        os.stat("app.lock")
    except FileNotFoundError:
        pass
    else:
        raise RuntimeError("it runs already")
    with open("app.lock", "w") as file:  # RH
        file.write(str(os.getpid()))


def wait_for_it(lock):
    for _ in range(50):
        if not lock.is_file():
            break
        time.sleep(0.1)
    else:
        raise RuntimeError("it does not end")
    lock.touch()  # RH
