"""Sessions, read and written by the request threads."""

SESSIONS = {}


def put(name, session):
    SESSIONS[name] = session


def expire(now):
    for session in SESSIONS.values():  # RH
        if session.until < now:
            session.close()
