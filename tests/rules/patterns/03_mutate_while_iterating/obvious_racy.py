def expire(entries, now):
    for key in entries:
        if entries[key] < now:
            del entries[key]  # RH


def prune(entries: dict, now):
    for key, value in entries.items():
        if value < now:
            entries.pop(key)  # RH
