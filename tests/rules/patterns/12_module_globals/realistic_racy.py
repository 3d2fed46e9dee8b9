from fastapi import FastAPI

app = FastAPI()
visits = {}


def bump(page):
    count = visits.get(page, 0)
    visits[page] = count + 1  # RH


@app.get("/{page}")
def show(page: str):
    bump(page)
    return {"visits": visits[page]}
