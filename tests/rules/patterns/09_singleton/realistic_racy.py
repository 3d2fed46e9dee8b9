from flask import Flask

app = Flask(__name__)
_engine = None


def engine():
    global _engine
    if not _engine:  # RH
        made = create_engine("db")
        _engine = made
    return _engine


def query(sql):
    return engine().execute(sql)


@app.route("/users")
def users():
    return query("select * from users")
