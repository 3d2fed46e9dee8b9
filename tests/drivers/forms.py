"""One small program for each form of the language that the rewriting touches; `main(log)` says what came of it."""
# ruff: noqa: E501 - the programs keep their lines

_T = """
def make(log):
    def t(value):
        log.append(value if type(value).__module__ == "builtins" else type(value).__name__)
        return value
    return t
"""


def _program(body: str) -> str:
    lines = body.strip("\n").splitlines()
    margin = len(lines[0]) - len(lines[0].lstrip())
    return _T + "\n".join(line[margin:] for line in lines) + "\n"


FORMS = {
    name: _program(body)
    for name, body in {
        "attributes": """
            class Box:
                pass
            def main(log):
                t = make(log)
                box = Box()
                t(box).a = t(1)
                box.a += t(2)
                t(box).a -= t(1)
                del t(box).a
                return hasattr(box, "a"), vars(box)
        """,
        "missing attribute names its line": """
            class Box:
                pass
            def main(log):
                box = Box()
                return [
                    box,
                    box.missing,
                ]
        """,
        "chain over several lines": """
            class Builder:
                def __init__(self):
                    self.parts = []
                def add(self, part):
                    self.parts.append(part)
                    if part == 2:
                        raise ValueError(part)
                    return self
            def main(log):
                return (Builder()
                        .add(1)
                        .add(
                            2)
                        .add(3))
        """,
        "unpacked arguments over several lines": """
            class Box:
                def run(self, *args, **kwargs):
                    raise LookupError(args, kwargs)
            def main(log):
                return (Box()
                        .run(*[1],
                             **{"a": 2}))
        """,
        "items, slices and tuple keys": """
            def main(log):
                t = make(log)
                items, table = [1, 2, 3, 4], {}
                t(items)[t(0)] = t(9)
                items[t(1):t(3)] = t([7])
                items[::t(2)]
                table[t(1), t("a")] = t(5)
                table[1, "a"] += t(1)
                t(items)[t(0)] *= t(2)
                items[-1:] += [8]
                del items[t(0)], table[t(1), "a"]
                return items, table
        """,
        "slices reach __getitem__ as they are": """
            class Show:
                def __getitem__(self, key):
                    return key
            def main(log):
                show = Show()
                return show[1:2], show[::2, 3], show[...], show[1, :], show[*[1, 2]]
        """,
        "errors of items": """
            def main(log):
                t = make(log)
                number = 5
                for use in (lambda: [][t(1)], lambda: {}[t("k")], lambda: number[t(0)], lambda: {}[[]]):
                    try:
                        use()
                    except Exception as error:
                        t(repr(error))
                items = []
                items[3] += 1
        """,
        "augmented assignment in place": """
            def main(log):
                items = first = [1]
                items += (2,)
                items *= 2
                bag = other = {1}
                bag |= {2}
                bag &= {2, 3}
                bag ^= {9}
                bag -= {9}
                table = third = {}
                table |= {"a": 1}
                text = "a"
                text += "b"
                return first, other, third, text, items is first, bag is other, table is third
        """,
        "augmented assignment with methods of its own": """
            class Number:
                def __init__(self, value, log):
                    self.value, self.log = value, log
                def __iadd__(self, other):
                    self.log.append(("iadd", other))
                    return Number(self.value + other, self.log)
                def __sub__(self, other):
                    self.log.append(("sub", other))
                    return self.value - other
            class Holder:
                pass
            def main(log):
                t = make(log)
                holder = Holder()
                holder.number = Number(1, log)
                holder.number += t(3)
                number = holder.number
                number -= t(2)
                return holder.number.value, number
        """,
        "globals": """
            count = 0
            names = []
            def main(log):
                global count, names, fresh
                count = 0
                count += 1
                count, names = count + 1, ["a"]
                fresh = other = count
                (count, [names, *rest]) = 5, "xyz"
                t = make(log)
                t((count, names, rest, fresh, other))
                del fresh
                try:
                    fresh
                except NameError as error:
                    t(str(error))
                for count in range(3):
                    pass
                for count, names in {"k": 1}.items():
                    t((count, names))
                if (count := 9) > 3:
                    return count, names
        """,
        "nonlocals": """
            def main(log):
                count, last = 0, None
                def bump(by=1):
                    nonlocal count, last
                    count += by
                    last, count = count, count + 1
                    return count
                results = [bump(), bump(by=5)]
                def forget():
                    nonlocal last
                    del last
                forget()
                try:
                    last
                except NameError as error:
                    log.append(type(error).__name__)
                return results, count
        """,
        "unbound locals": """
            def main(log):
                log.append(1)
                value += 1
                value = 2
        """,
        "comparisons": """
            class Odd:
                def __init__(self, log):
                    self.log = log
                def __lt__(self, other):
                    self.log.append(("lt", other))
                    return "truthy"
                def __eq__(self, other):
                    self.log.append(("eq", other))
                    return []
                __hash__ = None
            def main(log):
                t = make(log)
                odd = Odd(log)
                return (
                    t(odd) < t(1), odd < t(2) < t(3), t(3) > t(2) > t(2) > t(1), odd == t(5) == t(6),
                    t(1) is not t(None) is t(None), t(1) in t([1]), t(2) not in t({3}), t(1) < t(2) in t([2]),
                    None is None, 1 != t(1),
                )
        """,
        "errors of comparisons": """
            def main(log):
                t = make(log)
                return (t(1) <
                        t("a"))
        """,
        "containment": """
            class Bag:
                def __contains__(self, key):
                    return "yes"
            class Walk:
                def __iter__(self):
                    yield 1
            def main(log):
                t = make(log)
                return t(1) in t(Bag().__class__()) , 1 in Walk(), 2 in Walk(), "a" in "abc", t(1) not in range(3)
        """,
        "boolean operators": """
            class Truth:
                def __init__(self, log, value):
                    self.log, self.value = log, value
                def __bool__(self):
                    self.log.append(self.value)
                    return self.value
                def __repr__(self):
                    return f"Truth({self.value})"
            def main(log):
                yes, no = Truth(log, True), Truth(log, False)
                found = [yes and no, no and yes, no or yes, yes or no, not yes, not (yes and no), yes and [] or no]
                if yes and (no or yes) and not no:
                    found.append("if")
                while not (no or yes) or no:
                    found.append("while")
                assert yes or no
                return found, (1 if no else 2), [x for x in (yes, no) if x and x]
        """,
        "assertion with message": """
            def main(log):
                t = make(log)
                assert t(True), t("never")
                assert t([]), t(("message", 1))
        """,
        "comprehensions": """
            def main(log):
                t = make(log)
                rows = [[1, 2], [3]]
                a = [t(x) for row in t(rows) for x in row if x != 2 if t(True)]
                b = {x: y for x, y in zip("ab", t([1, 2]))}
                c = {x % 2 for x in range(4)}
                d = [[y * x for y in range(x)] for x in range(3)]
                e = list(x + b[k] for k in b for x in rows[0])
                f = [y := 1, y ** 2]
                g = [last := x for x in range(3)]
                h = [x for x in [z for z in range(3) if z] if x > 0 if 0 < x + 0 < 2]
                return a, b, c, d, e, f, g, last, h
        """,
        "comprehension variables are their own": """
            x = "global"
            def other():
                global x
                x = "changed"
            def main(log):
                inner = [x for x in range(2)]
                return inner, x
        """,
        "generators of one function keep apart": """
            def main(log):
                table = {0: "a", 1: "b", 2: "c"}
                walks = [(table[i + k] for i in range(2)) for k in range(2)]
                return [next(walks[0]), next(walks[1]), next(walks[0]), next(walks[1])]
        """,
        "comprehensions in class bodies": """
            def main(log):
                limit = 3
                class Table:
                    size = 2
                    cells = [(i, limit) for i in range(size)]
                    total = sum(i for i in range(size))
                    pick = (lambda key: [key])(size)
                    def get(self, key):
                        return [row[key] for row in self.cells]
                return Table().get(0), Table.total, Table.pick
        """,
        "lambdas, defaults and decorators": """
            def main(log):
                t = make(log)
                def mark(name):
                    t(name)
                    def apply(function):
                        t(function.__name__)
                        return function
                    return apply
                @mark("outer")
                @mark("inner")
                def work(a, b=t(2), *args, c=t(3), **kwargs):
                    return a, b, args, c, kwargs
                double = lambda x, by=t(2): (lambda: x * by)()
                return work(1), work(1, 4, 5, c=6, d=7), double(4), double.__defaults__
        """,
        "closures over loop variables": """
            def main(log):
                late = [lambda: i for i in range(3)]
                early = []
                for k in range(2):
                    early.append(lambda: k)
                k = 9
                return [f() for f in late], [f() for f in early]
        """,
        "unpacking": """
            def main(log):
                t = make(log)
                class Box: pass
                box, items = Box(), [0, 0]
                box.a, items[t(1)], *rest = t([1, 2, 3, 4])
                (first, [second, *third]), last = (1, "xyz"), 4
                a = b = t(5)
                [c, d] = {"k": 1, "l": 2}
                for n, (x, *y) in [(1, "ab"), (2, [3])]:
                    t((n, x, y))
                try:
                    box.a, box.b = 7,
                except ValueError as error:
                    t(str(error))
                x, y = y, x
                return box.a, items, rest, first, second, third, last, a, b, c, d, x, y
        """,
        "star arguments": """
            def show(*args, **kwargs):
                return args, kwargs
            def main(log):
                t = make(log)
                items, table = [1, 2], {"a": 1}
                return (
                    show(*t(items), t(3), *t((4,)), k=t(5), **t(table)), show(*items), show(**table, b=2),
                    [*items, *table], {*items}, (*items, 0), {**table, "z": 1, **{"a": 9}},
                )
        """,
        "errors of star arguments": """
            def show(**kwargs):
                return kwargs
            def main(log):
                for use in (lambda: show(**{"a": 1}, a=2), lambda: show(*5), lambda: show(**{1: 2}), lambda: show(**3)):
                    try:
                        use()
                    except TypeError as error:
                        log.append(str(error).replace("__main__", "program"))
                return len(log)
        """,
        "contexts": """
            class Manager:
                def __init__(self, log, name, swallow=False):
                    self.log, self.name, self.swallow = log, name, swallow
                def __enter__(self):
                    self.log.append(("enter", self.name))
                    return self.name, 1
                def __exit__(self, kind, error, trace):
                    self.log.append(("exit", self.name, kind and kind.__name__))
                    return self.swallow
            shared = None
            def main(log):
                global shared
                class Box: pass
                box = Box()
                with Manager(log, "a") as (name, box.number), Manager(log, "b", swallow=True) as shared, Manager(log, "c"):
                    log.append((name, box.number, shared))
                    raise ValueError
                with Manager(log, shared) as shared:
                    return shared
        """,
        "context that is none": """
            def main(log):
                with 5 as x:
                    pass
        """,
        "generator contexts": """
            from contextlib import contextmanager, ExitStack
            @contextmanager
            def manage(log, name):
                log.append(("in", name))
                try:
                    yield name
                finally:
                    log.append(("out", name))
            def main(log):
                with ExitStack() as stack:
                    names = [stack.enter_context(manage(log, n)) for n in "ab"]
                return names
        """,
        "exceptions": """
            def main(log):
                t = make(log)
                for k in range(5):
                    try:
                        t("body")
                        if k == 1: raise KeyError(k)
                        if k == 2: raise ValueError(k) from KeyError("cause")
                        if k == 3: continue
                        if k == 4: break
                    except KeyError as error:
                        t(repr(error))
                    except (ValueError, TypeError) as error:
                        t((repr(error), repr(error.__cause__)))
                    else:
                        t("else")
                    finally:
                        t("finally")
                else:
                    t("never")
                try:
                    raise ExceptionGroup("group", [ValueError(1), KeyError(2)])
                except* ValueError as group:
                    t(repr(group))
                except* KeyError as group:
                    t(repr(group))
                return k
        """,
        "loops": """
            def main(log):
                t = make(log)
                for i in t(range(3)):
                    if i == 1: continue
                    t(i)
                else:
                    t("else")
                while True:
                    i += 1
                    if t(i) > 4: break
                else:
                    t("never")
                for x in []:
                    pass
                else:
                    t("empty")
                return i
        """,
        "containers that change during iteration": """
            def main(log):
                items = [1, 2, 3]
                for item in items:
                    if len(items) < 6:
                        items.append(item)
                table = {1: 1}
                walk = iter(table)
                table[2] = 2
                try:
                    next(walk)
                except RuntimeError as error:
                    log.append(str(error))
                for key in table:
                    table[key + 10] = 0
        """,
        "iterators by hand": """
            def main(log):
                items = [1, 2]
                walk = iter(items)
                log.append((next(walk), iter(walk) is walk, walk.__length_hint__()))
                items.append(3)
                log.append((list(walk), next(walk, "done")))
                log.append(list(iter(iter("ab").__next__, "b")))
                log.append((list(reversed(items)), list(reversed({"a": 1, "b": 2}.items())), list(reversed("ab"))))
                next(iter([]))
        """,
        "match": """
            from dataclasses import dataclass
            from enum import Enum
            class Color(Enum):
                RED = 1
            @dataclass
            class Point:
                x: int
                y: int
            def name(log, subject):
                match subject:
                    case 0 | None: return "zero"
                    case Color.RED: return "red"
                    case Point(x=0, y=y): return ("axis", y)
                    case Point(x, y) if log.append((x, y)) or x == y: return "diagonal"
                    case [first, *rest] if rest: return (first, rest)
                    case {"k": value, **others}: return (value, others)
                    case str() as text: return text
                    case (1, 2) | [_]: return "few"
                    case _: return "other"
            def main(log):
                subjects = [0, None, Color.RED, Point(0, 2), Point(1, 1), Point(1, 2), [1, 2], {"k": 1, "l": 2}, "s", [3], 4.5]
                return [name(log, subject) for subject in subjects]
        """,
        "f-strings": """
            class Text:
                def __init__(self, log):
                    self.log = log
                def __format__(self, spec):
                    self.log.append(spec)
                    return f"[{spec}]"
                def __repr__(self):
                    return "Text()"
            def main(log):
                t = make(log)
                text, width, items = Text(log), 6, [1]
                return f"{text} {text:>{width}} {text!r:>{t(9)}} {t(1) + 1=} {items} {items[0]:03d} {'a'!s} {{}} {width:{'>'}{width}}"
        """,
        "errors in f-strings": """
            def main(log):
                value = [1]
                return (
                    f"{value}"
                    f"{value:d}"
                )
        """,
        "text": """
            def main(log):
                items = ["a", "b"]
                return "-".join(items), "%s %r" % (items, 1), "{0} {k}".format(items, k=2), str(items), repr(items), format(3, "04"), "%(k)s" % {"k": 1}
        """,
        "generators": """
            def inner(log):
                got = yield "first"
                log.append(got)
                try:
                    yield "second"
                except ValueError as error:
                    log.append(repr(error))
                return "returned"
            def outer(log):
                result = yield from inner(log)
                log.append(result)
                yield from [1, 2]
                yield from {"k": 1}.items()
                return "end"
            def main(log):
                walk = outer(log)
                log.append(next(walk))
                log.append(walk.send("sent"))
                log.append(walk.throw(ValueError("thrown")))
                log.append(list(walk))
                walk.close()
                return sum(x for x in (i * i for i in range(4)) if x)
        """,
        "coroutines": """
            class Ready:
                def __await__(self):
                    got = yield "waiting"
                    return got
            class Numbers:
                def __init__(self):
                    self.n = 0
                def __aiter__(self):
                    return self
                async def __anext__(self):
                    self.n += 1
                    if self.n > 2:
                        raise StopAsyncIteration
                    return self.n
            class Manager:
                async def __aenter__(self):
                    return {"k": 1}
                async def __aexit__(self, *args):
                    return True
            async def agen(log):
                yield 1
                log.append("agen")
                yield 2
            async def work(log):
                found = [await Ready()]
                async for n in Numbers():
                    found.append(n)
                async with Manager() as table, Manager():
                    table["k"] += await Ready()
                    raise ValueError
                found += [x + 1 async for x in agen(log) if x]
                found.append({x: [y async for y in Numbers()] async for x in agen(log)})
                return found, table
            def main(log):
                task = work(log)
                log.append(task.send(None))
                try:
                    log.append(task.send(10))
                    task.send(20)
                except StopIteration as stop:
                    return stop.value
        """,
        "private names": """
            class Base:
                def __init__(self):
                    self.__value = 1
                def __secret(self, by):
                    self.__value += by
                    return self.__value
                def run(self):
                    return self.__secret(by=2), [self.__value for _ in range(1)], (lambda: self.__value)()
            class _Derived(Base):
                def __init__(self):
                    super().__init__()
                    self.__value = "own"
                def both(self):
                    del self.__value
                    return self.run(), vars(self)
            class __:
                def get(self):
                    self.__x = 5
                    return vars(self)
            def main(log):
                return _Derived().both(), __().get()
        """,
        "super": """
            class A:
                registry = []
                def __init__(self, x):
                    self.x = x
                @classmethod
                def make(cls, x):
                    return cls(x)
                @staticmethod
                def plus(x):
                    return x + 1
                @property
                def twice(self):
                    return self.x * 2
            class B(A):
                def __init__(self, x):
                    super().__init__(x)
                    super(B, self).__init__(x + 1)
                @property
                def twice(self):
                    return super().twice + 1
                @classmethod
                def make(cls, x):
                    return super().make(x)
                def names(self):
                    return super().registry, [super(B, self).plus(i) for i in range(2)]
            class Grow(list):
                def append(self, item):
                    super().append(item * 2)
                    list.append(self, item)
                def __getitem__(self, key):
                    return ("got", super().__getitem__(key))
            def main(log):
                grow = Grow([0])
                grow.append(3)
                return B.make(1).twice, B(2).names(), grow, grow[1], len(grow), list(grow)
        """,
        "properties and descriptors": """
            class Logged:
                def __set_name__(self, owner, name):
                    self.name = "_" + name
                def __get__(self, subject, owner):
                    if subject is None: return self
                    subject.log.append(("get", self.name))
                    return getattr(subject, self.name)
                def __set__(self, subject, value):
                    subject.log.append(("set", value))
                    setattr(subject, self.name, value)
                def __delete__(self, subject):
                    subject.log.append("delete")
                    delattr(subject, self.name)
            class Box:
                size = Logged()
                def __init__(self, log):
                    self.log = log
                    self.size = 1
                @property
                def area(self):
                    return self.size ** 2
                @area.setter
                def area(self, value):
                    self.size = int(value ** 0.5)
            def main(log):
                box = Box(log)
                box.size += 2
                box.area = 25
                area = box.area
                del box.size
                try:
                    box.area
                except AttributeError as error:
                    log.append(str(error))
                return area, isinstance(Box.size, Logged)
        """,
        "cached properties": """
            from functools import cached_property
            class Box:
                def __init__(self, log):
                    self.log = log
                @cached_property
                def cost(self):
                    self.log.append("computed")
                    return 5
            def main(log):
                box = Box(log)
                first = box.cost, box.cost
                del box.cost
                box.cost += 1
                return first, box.cost, sorted(vars(box))
        """,
        "cached property without a place": """
            from functools import cached_property
            class Slim:
                __slots__ = ()
                @cached_property
                def cost(self):
                    return 5
            def main(log):
                return Slim().cost
        """,
        "slots": """
            class Slim:
                __slots__ = ("a", "b")
                def __init__(self):
                    self.a = 1
            def main(log):
                slim = Slim()
                slim.a += 1
                for name in ("b", "c"):
                    try:
                        getattr(slim, name)
                    except AttributeError as error:
                        log.append(str(error))
                slim.b = [1]
                slim.b += [2]
                del slim.a
                slim.c = 1
        """,
        "attribute access of its own": """
            class Proxy:
                def __init__(self, log, target):
                    object.__setattr__(self, "log", log)
                    super().__setattr__("target", target)
                def __getattr__(self, name):
                    self.log.append(("getattr", name))
                    return getattr(self.target, name)
                def __setattr__(self, name, value):
                    self.log.append(("setattr", name))
                    super().__setattr__(name, value)
                def __delattr__(self, name):
                    self.log.append(("delattr", name))
                    object.__delattr__(self, name)
                def __getattribute__(self, name):
                    if name == "magic":
                        return 42
                    return super().__getattribute__(name)
            def main(log):
                proxy = Proxy(log, [1, 2])
                proxy.extra = 1
                proxy.extra += proxy.magic
                proxy.append(3)
                del proxy.extra
                return proxy.target, proxy.count(1), hasattr(proxy, "nothing")
        """,
        "borg": """
            class Borg:
                state = {}
                def __init__(self):
                    self.__dict__ = self.state
            def main(log):
                Borg.state = {}
                one, two = Borg(), Borg()
                one.x = 1
                two.x += 1
                one.__dict__["y"] = 5
                vars(two)["y"] += 1
                return one.x, two.y, vars(one) is vars(two)
        """,
        "dataclasses": """
            from dataclasses import dataclass, field, replace, asdict
            @dataclass(order=True)
            class Point:
                x: int
                y: list = field(default_factory=list)
            @dataclass(frozen=True, slots=True)
            class Frozen:
                a: int
                def with_a(self, a):
                    return replace(self, a=a)
            def main(log):
                p, q = Point(1), Point(1, [2])
                p.y.append(1)
                p.x += 1
                try:
                    Frozen(1).a = 2
                except AttributeError as error:
                    log.append(repr(error))
                return p, p == q, p > q, f"{p}", {Frozen(1): 2}[Frozen(1)], Frozen(1).with_a(5), asdict(p)
        """,
        "named tuples and enums": """
            from collections import namedtuple
            from enum import Enum, Flag, auto
            from typing import NamedTuple
            Pair = namedtuple("Pair", "left right")
            class Named(NamedTuple):
                name: str
                size: int = 0
                def longer(self, by):
                    return self._replace(size=self.size + by)
            class Color(Enum):
                RED = 1
                GREEN = 2
                @property
                def shout(self):
                    return self.name + "!"
                @classmethod
                def first(cls):
                    return cls(1)
            class Mode(Flag):
                READ = auto()
                WRITE = auto()
            def main(log):
                pair = Pair(1, [2])
                left, right = pair
                right += [3]
                return (
                    pair.left, pair, Named("a").longer(2), Color.first().shout, [c.value for c in Color], Color["GREEN"],
                    {Color.RED: 1}[Color(1)], Mode.READ | Mode.WRITE, Mode.READ in (Mode.READ | Mode.WRITE),
                )
        """,
        "containers of one's own": """
            from collections import Counter, OrderedDict, UserDict, defaultdict, deque
            class Lower(dict):
                def __setitem__(self, key, value):
                    super().__setitem__(key.lower(), value)
                def __missing__(self, key):
                    return ("missing", key)
                @property
                def size(self):
                    return len(self)
            class Sparse(UserDict):
                def __getitem__(self, key):
                    return self.data.get(key, 0)
            def main(log):
                lower = Lower()
                lower["A"] = 1
                lower.tag = "t"
                lower.tag += "u"
                sparse = Sparse({1: 2})
                sparse[5] += 3
                groups = defaultdict(lambda: log.append("made") or [])
                groups["a"].append(1)
                groups["a"] += [2]
                counts = Counter("abca")
                counts["z"] += 1
                counts.update(["a"])
                ring = deque([1, 2, 3], maxlen=3)
                ring.append(4)
                ring.rotate(1)
                order = OrderedDict(a=1, b=2)
                order.move_to_end("a")
                return (
                    lower, lower["Q"], lower.tag, lower.size, sparse[5], sparse[7], dict(groups), counts.most_common(2), ring,
                    list(order), dict(order), bool(lower), "a" in lower, sorted(lower.items()), list(order.keys() & {"a"}),
                )
        """,
        "built-in functions": """
            import bisect, copy, heapq, itertools, operator
            from functools import lru_cache, partial, reduce
            @lru_cache
            def square(x):
                return x * x
            def main(log):
                t = make(log)
                items = [3, 1, 2]
                heap = []
                for item in items:
                    heapq.heappush(heap, item)
                append = items.append
                append(5)
                add = partial(operator.add, 1)
                return (
                    len(items), sum(items), min(items), max(items, key=lambda x: -x), any(items), all(items), sorted(items), max(items, [1], key=len), min([1], items), list(copy.copy(iter(items))),
                    list(map(t, items)), list(filter(None, [0, 1])), list(zip(items, "ab")), list(enumerate(items, 1)),
                    reduce(lambda a, b: a * 10 + b, items), heapq.heappop(heap), heapq.nlargest(2, items), bisect.bisect([1, 3], 2),
                    list(itertools.chain(items, "a")), list(itertools.islice(items, 2)), square(3), square(3), square.cache_info().hits,
                    add(2), partial(t, 7)(), max(1, 2), min([[2], [1]]), sum([[1], [2]], []), list(map(len, ["a", "bb"])),
                    isinstance(append, type(len)), append.__self__ is items, [].__class__ is list, getattr(items, "pop")(0),
                    divmod(7, 2), abs(-3), round(2.5), tuple(items), set(items) == {1, 2, 5}, dict(a=1), bytes([65]), int("3"),
                    list(dict.fromkeys(items)), type(items) is list, callable(append), hash((1, 2)) == hash((1, 2)), vars(partial)["func"] is None,
                )
        """,
        "errors of built-in functions": """
            import heapq
            def main(log):
                number = 5
                for use in (
                    lambda: len(5), lambda: max([]), lambda: sum(["a"]), lambda: next(iter([])), lambda: getattr(1, "x"),
                    lambda: [].pop(), lambda: {}.pop("k"), lambda: [1].remove(2), lambda: number(), lambda: setattr(1, "x", 2), lambda: len(),
                    lambda: getattr(1, 2), lambda: list(5), lambda: sorted([1, "a"]), lambda: [].append(), lambda: hash([]),
                    lambda: object.__setattr__(number), lambda: object.__setattr__(), lambda: heapq.heapify(number), lambda: hasattr(1, 2),
                    lambda: setattr(number, 2, 3), lambda: heapq.heappush(), lambda: object.__setattr__(number, "a", 1), lambda: max(),
                ):
                    try:
                        use()
                    except Exception as error:
                        log.append(repr(error))
                return len(log)
        """,
        "recursion": """
            class Tree:
                def __init__(self, value, *children):
                    self.value, self.children = value, children
                def walk(self, depth=0):
                    yield depth, self.value
                    for child in self.children:
                        yield from child.walk(depth + 1)
                def total(self):
                    return self.value + sum(child.total() for child in self.children)
            def factorial(n):
                return 1 if n < 2 else n * factorial(n - 1)
            def main(log):
                tree = Tree(1, Tree(2, Tree(3)), Tree(4))
                return list(tree.walk()), tree.total(), factorial(20)
        """,
        "function attributes": """
            def work():
                work.calls += 1
                return work.calls
            work.calls = 0
            def main(log):
                work.calls = 5
                work(), work()
                work.__name__
                return work.calls, work.__dict__
        """,
        "metaclasses and class attributes": """
            class Meta(type):
                def __call__(cls, *args):
                    cls.made += 1
                    return super().__call__(*args)
                @property
                def loud(cls):
                    return cls.__name__.upper()
            class Thing(metaclass=Meta):
                made = 0
            class Sub(Thing, metaclass=Meta):
                pass
            def main(log):
                Thing.made = 0
                Thing(), Sub(), Sub()
                thing = Thing()
                thing.made = 9
                return Thing.made, Sub.made, thing.made, Sub.loud, Sub.__mro__[1] is Thing
        """,
        "lifetimes": """
            import weakref
            class Thing:
                def __init__(self, log):
                    self.log = log
                def __del__(self):
                    self.log.append("gone")
                def __eq__(self, other):
                    return True
                def __add__(self, other):
                    return 1
                __hash__ = None
            class Holder:
                n = 0
            def main(log):
                holder = Holder()
                Thing(log) == Thing(log)
                log.append("compared")
                holder.n += Thing(log) + 1
                log.append("added")
                [1][Thing(log) + -1]
                log.append("indexed")
                return holder.n
        """,
        "frames": """
            import sys
            def main(log):
                here = 1
                names = [name for name in dir() if not name.startswith("_rh")]
                sys._getframe().f_lineno
                return sorted(names), {k: v for k, v in locals().items() if k == "here"}, eval("here + 1"), sys._getframe().f_code.co_name
        """,
        "imports": """
            def main(log):
                import os.path as p, json
                from math import floor as down, ceil
                return p.join("a", "b"), json.dumps([1]), down(1.5), ceil(1.5)
        """,
        "code at the top": """
            class Box:
                n = 0
            box, items, table = Box(), [1, 2], {}
            box.n += 1
            items[0] += 1
            for key, table["k"] in [(1, 2)]:
                text = f"{key:>{3}}"
            match items:
                case [first, *rest] if first > 0:
                    found = [lambda: x for x in rest]
            assert items and not (items == []) and 0 < len(items) < 9, "text"
            last = (lambda: items[-1])() if items else None
            call = dict(**table, **{"z": [*items]})
            del items[0]
            count: int = -len(items)
            def walk():
                yield from items
            def main(log):
                return box.n, items, table, text, found[0](), last, call, count, list(walk())
        """,
        "odd targets": """
            def main(log):
                t = make(log)
                class Box: pass
                box, items = Box(), [0, 0]
                made = [box.a for box.a in t([1, 2])], [items[1] for items[0 + 1] in t((3, 4))]
                for items[t(0)] in (7, 8):
                    t(items[0])
                del (box.a, [items[0]])
                return made, items, vars(box)
        """,
        "docstrings": """
            def documented():
                "says so"
                global used
                used = 1
                exec("pass")
            class Kind:
                "kind"
                def method(self):
                    "method"
            def main(log):
                return documented.__doc__, Kind.__doc__, Kind.method.__doc__, documented.__name__, Kind.method.__qualname__
        """,
        "local classes": """
            def main(log):
                t = make(log)
                base = [dict]
                @t
                class Local(base[0], metaclass=t(type)):
                    t("body")
                    x = t(1)
                    def get(self):
                        return __class__.__name__, self.x
                log.pop()
                return Local(a=1).get(), Local.__mro__[1]
        """,
        "annotations": """
            class Box:
                pass
            def main(log):
                t = make(log)
                box, items = Box(), [0]
                x: t("not evaluated") = t(1)
                box.a: t("evaluated") = t(2)
                items[0]: int = t(3)
                y: int
                def annotated(a: t("int") = t(1)) -> t("str"): ...
                return x, box.a, items, annotated.__annotations__
        """,
        "operators": """
            def main(log):
                t = make(log)
                a, b = 7, 2
                return (
                    t(a) + t(b), a - t(b), t(a) * b, a / b, t(a) // t(b), a % b, a ** b, t(a) << t(b), a >> 1, t(a) | t(8), a & b, a ^ b,
                    -t(a), +a, ~t(b), [1] * 2, 2 * [1], [1] + t([2]), {1} | t({2}), "a" "b" + t("c"), (1,) + t((2,)),
                )
        """,
        "errors of operators": """
            def main(log):
                t = make(log)
                return [
                    t(1),
                    t([]) +
                    t(2),
                ]
        """,
        "matrix product": """
            class M:
                def __matmul__(self, other):
                    return ("matmul", other)
                def __imatmul__(self, other):
                    return ("imatmul", other)
            def main(log):
                m = M()
                m @= 2
                return M() @ 1, m, [M() @ x for x in (1, 2)]
        """,
    }.items()
}

FORMS_SINCE_3_12 = {
    name: _program(body)
    for name, body in {
        "type parameters": """
            class Stack[T](list[T]):
                def push[U: int](self, item: U, again: bool = False) -> U:
                    self.append(item)
                    return item
            def main(log):
                type Pair[A] = tuple[A, list[A]]
                class Local[K](dict[K, int]):
                    pass
                stack = Stack()
                stack.push(1, again=bool(log))
                def generic[T](x: T = stack[0]) -> T:
                    return x
                return stack, Pair.__name__, generic(), Local(a=1), Pair[int].__value__ is Pair.__value__
        """,
        "nested quotes in f-strings": """
            def main(log):
                table = {"k": [1]}
                return f"{table["k"]} {f"{table["k"][0]:{'0'}>{3}}"}"
        """,
        "comprehensions inline": """
            def main(log):
                x = 5
                inner = [x for x in range(3)]
                return x, inner, [lambda: x for _ in range(1)][0]()
        """,
    }.items()
}
