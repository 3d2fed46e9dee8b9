import threading
import time

sessions = {}


def reap():
    while True:
        for key in sessions:  # RH
            print(key)
        time.sleep(1)


def login(user):
    sessions[user] = time.time()


threading.Thread(target=reap, daemon=True).start()
