def expire(entries, now):
    for key in list(entries):
        if entries[key] < now:
            del entries[key]


def prune(entries: dict, now):
    for key, value in entries.items():
        if value < now:
            entries.pop(key)
            break
