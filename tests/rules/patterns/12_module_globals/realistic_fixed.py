import threading

from fastapi import FastAPI

app = FastAPI()
visits = {}
visits_lock = threading.Lock()


def bump(page):
    with visits_lock:
        visits[page] = visits.get(page, 0) + 1
        return visits[page]


@app.get("/{page}")
def show(page: str):
    return {"visits": bump(page)}
