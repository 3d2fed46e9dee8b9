"""The connection of the process, used by all worker threads."""

_connection = None


def connection():
    global _connection
    if _connection is None:  # RH
        _connection = connect()
    return _connection
