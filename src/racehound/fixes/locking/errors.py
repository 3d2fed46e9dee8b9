class CannotHold(Exception):
    """No patch of this kind is right here; the message says why."""
