import threading

from flask import Flask

app = Flask(__name__)
_engine = None
_engine_lock = threading.Lock()


def engine():
    global _engine
    if not _engine:
        with _engine_lock:
            if not _engine:
                _engine = create_engine("db")
    return _engine


def query(sql):
    return engine().execute(sql)


@app.route("/users")
def users():
    return query("select * from users")
