import weakref


class Notes:
    def __init__(self):
        self._notes = {}

    def put(self, item, note):
        key = id(item)
        try:
            ref, _ = self._notes[key]
        except KeyError:

            def forget(_):
                del self._notes[key]

            ref = weakref.ref(item, forget)
        self._notes[key] = ref, note
