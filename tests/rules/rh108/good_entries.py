import threading
import uuid

from flask import Flask, request

app = Flask(__name__)
SESSIONS = {}
JOBS = {}
RIGHTS = {}
_lock = threading.Lock()


@app.route("/login")
def login():
    user = request.args["user"]
    pages = []
    pages.extend(request.args.getlist("page"))
    SESSIONS[user] = pages
    return "in"


@app.route("/job")
def job():
    number = uuid.uuid4().hex
    JOBS[number] = []
    JOBS[number].append(request.args["step"])
    return number


@app.route("/rights")
def rights():
    user = request.args["user"]
    with _lock:
        RIGHTS[user] = []
        RIGHTS[user].append("read")
    return "in"
