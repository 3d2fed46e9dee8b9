"""Whole modules of the standard library behave the same when they are instrumented."""

import importlib
import inspect
import json
import random
import types
from collections.abc import Callable
from fractions import Fraction

import pytest

from drivers.observed import Outcome, loaded, outcome_of, run_task

pytestmark = pytest.mark.usefixtures("unmeasured")

Workload = Callable[[types.ModuleType], object]

TEXT = "The quick brown fox, so they say, jumps over the lazy dog; it was not amused (not at all) by any of this."
NUMBERS = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]


def use_textwrap(module: types.ModuleType) -> object:
    wrapped = [module.wrap(TEXT, width) for width in (7, 20, 33)]
    return wrapped, module.shorten(TEXT, 30), module.dedent("  a\n    b\n"), module.indent("a\nb", "> ")


def use_heapq(module: types.ModuleType) -> object:
    heap: list[int] = []
    for number in NUMBERS:
        module.heappush(heap, number)
    popped = [module.heappop(heap) for _ in range(4)]
    replaced = module.heapreplace(heap, 7), module.heappushpop(heap, 0)
    merged = list(module.merge([1, 4], [2, 3], key=lambda x: x))
    return (
        popped,
        replaced,
        heap,
        merged,
        module.nlargest(3, NUMBERS),
        module.nsmallest(2, NUMBERS, key=lambda x: -x),
    )


def use_statistics(module: types.ModuleType) -> object:
    normal = module.NormalDist(10, 2)
    return (
        *(module.mean(NUMBERS), module.median(NUMBERS), module.mode(NUMBERS), module.stdev(NUMBERS)),
        *(module.quantiles(NUMBERS, n=4), module.multimode(NUMBERS), normal.cdf(11), (normal + 3).mean),
        *(
            module.fmean(NUMBERS),
            module.mean([Fraction(1, 3), Fraction(1, 6)]),
            module.linear_regression([1, 2], [3, 5]),
        ),
    )


def use_fractions(module: types.ModuleType) -> object:
    make = module.Fraction
    return (
        make("3/4") + make(1, 6),
        make(7, 3) % 2,
        make(0.125),
        -(make(1, 3) ** 3),
        make(22, 7).limit_denominator(5),
        make(1) < 2,
    )


def use_difflib(module: types.ModuleType) -> object:
    first, second = TEXT.split(), TEXT.replace("quick", "slow").split()
    matcher = module.SequenceMatcher(None, first, second)
    return (
        *(matcher.ratio(), matcher.get_opcodes(), list(module.unified_diff(first, second))),
        *(module.get_close_matches("quik", first), list(module.ndiff(["one\n"], ["ore\n"]))),
    )


def use_shlex(module: types.ModuleType) -> object:
    line = "run 'a b' \"c d\"e \\f # no comment"
    return module.split(line), module.split(line, comments=True), module.join(["a b", "c"]), module.quote("it's")


def use_string(module: types.ModuleType) -> object:
    template = module.Template("$who likes ${what} $$")
    formatted = module.Formatter().vformat("{0} {k!r:>5} {1[0]}", ("a", [1]), {"k": "v"})
    return (
        template.substitute(who="tim", what="kung pao"),
        template.safe_substitute(who="x"),
        formatted,
        module.capwords("a b"),
    )


def use_json_encoder(module: types.ModuleType) -> object:
    data = {"b": [1, 2.5, None, True], "a": {"x": "é\n"}, "t": (1,)}
    vars(module)["c_make_encoder"] = None
    encoder = module.JSONEncoder(indent=1, sort_keys=True, default=str)
    return encoder.encode(data), list(module.JSONEncoder().iterencode([{}, [], Fraction(1, 2).numerator]))


def use_json_decoder(module: types.ModuleType) -> object:
    text = json.dumps({"b": [1, 2.5, None, True], "a": {"x": "é\n"}})
    decoder = module.JSONDecoder(object_pairs_hook=list, parse_int=float)
    bad = [module.py_scanstring('"a\\u00e9b" rest', 1)]
    return decoder.decode(text), module.JSONDecoder().raw_decode("[1] tail"), bad


def use_configparser(module: types.ModuleType) -> object:
    parser = module.ConfigParser()
    parser.read_string("[DEFAULT]\nroot=/r\n[a]\npath=%(root)s/x\nn = 3\nflag: yes\nlong = 1\n  2\n")
    parser["b"] = {"k": "v"}
    parser.set("b", "l", "w")
    return (
        {name: dict(parser[name]) for name in parser.sections()},
        parser.getint("a", "n"),
        parser.getboolean("a", "flag"),
    )


def use_ipaddress(module: types.ModuleType) -> object:
    net = module.ip_network("10.0.0.0/29")
    six = module.ip_address("2001:db8::1")
    return (
        *(
            list(map(str, net.hosts())),
            list(map(str, net.subnets())),
            six.exploded,
            str(six + 1),
            six in module.ip_network("2001:db8::/32"),
        ),
        *(
            sorted(map(str, module.collapse_addresses([net, module.ip_network("10.0.0.8/29")]))),
            hash(net) == hash(net),
        ),
    )


def use_graphlib(module: types.ModuleType) -> object:
    sorter = module.TopologicalSorter({"d": ["b", "c"], "b": ["a"], "c": ["a"]})
    order = []
    sorter.prepare()
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        order.append(ready)
        sorter.done(*ready)
    return order, list(module.TopologicalSorter({1: [2], 2: [1]}).static_order())


def use_colorsys(module: types.ModuleType) -> object:
    colours = [(0.1, 0.5, 0.9), (1, 0, 0), (0.3, 0.3, 0.3)]
    return [
        (module.rgb_to_hsv(*c), module.rgb_to_hls(*c), module.rgb_to_yiq(*c), module.hsv_to_rgb(*c))
        for c in colours
    ]


def use_calendar(module: types.ModuleType) -> object:
    text = module.TextCalendar(firstweekday=6)
    return (
        text.formatmonth(2024, 2),
        module.monthrange(2023, 2),
        module.isleap(1900),
        list(text.itermonthdays2(2024, 9))[:9],
    )


def use_collections(module: types.ModuleType) -> object:
    chain = module.ChainMap({"a": 1}, {"a": 2, "b": 3})
    counts = module.Counter("abracadabra")
    counts.subtract("aab")
    user = module.UserList([3, 1, 2])
    user.sort()
    point = module.namedtuple("Point", "x y", defaults=[0])(1)
    return (
        *(dict(chain), chain.new_child({"c": 1})["c"], counts.most_common(2), (counts + counts)["a"], user * 2),
        *(point._replace(y=5), point._asdict(), module.UserString("abc").upper(), module.UserDict(a=1) | {"b": 2}),
    )


def use_random(module: types.ModuleType) -> object:
    chance = module.Random(7)
    items = list(range(10))
    chance.shuffle(items)
    return (
        items,
        chance.sample(range(100), 5),
        chance.gauss(0, 1),
        chance.choices("abc", weights=[1, 2, 3], k=5),
        chance.randrange(3, 9, 2),
    )


WORKLOADS: dict[str, Workload] = {
    "textwrap": use_textwrap,
    "heapq": use_heapq,
    "statistics": use_statistics,
    "fractions": use_fractions,
    "difflib": use_difflib,
    "shlex": use_shlex,
    "string": use_string,
    "json.encoder": use_json_encoder,
    "json.decoder": use_json_decoder,
    "configparser": use_configparser,
    "ipaddress": use_ipaddress,
    "graphlib": use_graphlib,
    "colorsys": use_colorsys,
    "calendar": use_calendar,
    "collections": use_collections,
    "random": use_random,
}


def behaviour(name: str, *, observed: bool, controlled: bool = False) -> Outcome:
    random.seed(1)
    original = importlib.import_module(name)
    source = inspect.getsource(original)
    path = inspect.getsourcefile(original) or ""
    found: list[Outcome] = []
    with loaded(source, observed=observed, name=f"again_{name.replace('.', '_')}", path=path) as module:

        def use() -> None:
            found.append(outcome_of(lambda _: WORKLOADS[name](module), path=path))

        if controlled:
            trace = run_task(use)
            assert trace.broken_by is None, trace.broken_by
        else:
            use()
    return found[0]


@pytest.mark.parametrize("name", WORKLOADS)
def test_module_behaves_the_same_outside_an_execution(name: str) -> None:
    assert behaviour(name, observed=True) == behaviour(name, observed=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", WORKLOADS)
def test_module_behaves_the_same_inside_an_execution(name: str) -> None:
    assert behaviour(name, observed=True, controlled=True) == behaviour(name, observed=False)
