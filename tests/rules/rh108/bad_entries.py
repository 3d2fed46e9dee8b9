from flask import Flask, request

app = Flask(__name__)
SESSIONS = {}
JOBS = {}


@app.route("/login")
def login():
    user = request.args["user"]
    SESSIONS[user] = []  # RH
    for page in request.args.getlist("page"):
        SESSIONS[user].append(page)
    return "in"


@app.route("/show")
def show():
    return str(SESSIONS.get(request.args["user"]))
