"""What each piece of code publishes, or why it weakens the verdict.

Each entry holds what the object `s` is made with (after a prelude of definitions and `---`), the code, and the
answer.
"""

PUBLISHED: dict[str, tuple[str, str, list[str]]] = {
    'reading an attribute': (
        'n=1',
        'return s.n',
        ['read R s.n'],
    ),
    'writing an attribute': (
        'n=1',
        's.n = 2',
        ['write W s.n'],
    ),
    'augmenting an attribute': (
        'n=1',
        's.n += 1',
        ['read R s.n', 'write W s.n'],
    ),
    'deleting an attribute': (
        'n=1',
        'del s.n',
        ['delete W s.n'],
    ),
    'asking for an attribute': (
        '',
        "return hasattr(s, 'n')",
        ['read R s.n'],
    ),
    'class attribute through an instance': (
        '',
        'return s.shared',
        ['read R s.shared R S.shared'],
    ),
    'class attribute': (
        '',
        'S.shared += 1',
        ['read R S.shared', 'write W S.shared'],
    ),
    'method': (
        'class A:\n    def f(self): return 1\n---\na=A()',
        'return s.a.f()',
        ['read R s.a'],
    ),
    'slots': (
        "class A:\n    __slots__=('x',)\n---\na=A()",
        's.a.x = 1\nreturn s.a.x',
        ['read R s.a', 'write W a.x', 'read R s.a', 'read R a.x'],
    ),
    'attributes with dynamic names': (
        'n=1',
        "name = 'n'\nsetattr(s, name, getattr(s, name) + 1)\ndelattr(s, name)",
        ['read R s.n', 'write W s.n', 'delete W s.n'],
    ),
    'the dictionary of an object': (
        'n=1',
        "vars(s)['n'] = 2\ns.__dict__.update(n=3)\nreturn dir(s)",
        ['write W s.n W s.SHAPE', 'write W s.WHOLE', 'read R s.WHOLE'],
    ),
    'attribute methods of object': (
        'n=1',
        "object.__setattr__(s, 'n', 2)\nreturn object.__getattribute__(s, 'n')",
        ['write W s.n', 'read R s.n'],
    ),
    'items': (
        'd={1: 2}',
        's.d[1] = s.d[1] + 1\ndel s.d[1]',
        ['read R s.d', 'read R d.1', 'read R s.d', 'write W d.1 W d.SHAPE', 'read R s.d', 'delete W d.1 W d.SHAPE'],
    ),
    'augmenting an item': (
        'd={1: 2}',
        's.d[1] += 1',
        ['read R s.d', 'read R d.1', 'write W d.1 W d.SHAPE'],
    ),
    'item of a list': (
        'l=[1]',
        's.l[0] += 1',
        ['read R s.l', 'read R l.WHOLE', 'write W l.WHOLE'],
    ),
    'methods with a key': (
        'd={1: 2}',
        'return s.d.get(1), s.d.pop(1), s.d.setdefault(2, 3)',
        ['read R s.d', 'read R d.1', 'read R s.d', 'write W d.1 W d.SHAPE', 'read R s.d', 'write W d.2 W d.SHAPE'],
    ),
    'method under another name': (
        'l=[]',
        'append = s.l.append\nappend(1)',
        ['read R s.l', 'write W l.WHOLE'],
    ),
    'partial of a method': (
        'l=[]',
        'functools.partial(s.l.append, 1)()',
        ['read R s.l', 'write W l.WHOLE'],
    ),
    'methods called through the class': (
        'l=[], d={}',
        "list.append(s.l, 1)\ndict.__setitem__(s.d, 'k', 1)",
        ['read R s.l', 'write W l.WHOLE', 'read R s.d', 'write W d.k W d.SHAPE'],
    ),
    'views': (
        'd={1: 2}',
        'v = s.d.values()\nlen(v)\n2 in v\n1 in s.d.keys()\nsorted(s.d.items())\nlist(reversed(s.d))',
        ['read R s.d', 'read R d.WHOLE', 'read R d.WHOLE', 'read R s.d', 'check R d.1', 'read R s.d', 'read R d.WHOLE', 'read R s.d', 'iterate R d.WHOLE', 'iterate R d.WHOLE', 'iterate R d.WHOLE'],
    ),
    'loop': (
        'l=[1]',
        'for x in s.l: pass',
        ['read R s.l', 'iterate R l.WHOLE', 'iterate R l.WHOLE', 'iterate R l.WHOLE'],
    ),
    'loop over a view': (
        'd={1: 2}',
        'for k, v in s.d.items(): pass',
        ['read R s.d', 'iterate R d.WHOLE', 'iterate R d.WHOLE', 'iterate R d.WHOLE'],
    ),
    'comprehension': (
        'l=[1]',
        'return [x for x in s.l]',
        ['read R s.l', 'iterate R l.WHOLE', 'iterate R l.WHOLE', 'iterate R l.WHOLE'],
    ),
    'unpacked rows': (
        'l=[[1, 2]], row=[1, 2]',
        's.l[0] = s.row\nfor a, b in s.l: pass',
        ['read R s.row', 'read R s.l', 'write W l.WHOLE', 'read R s.l', 'iterate R l.WHOLE', 'iterate R l.WHOLE', 'read R row.WHOLE', 'iterate R l.WHOLE'],
    ),
    'functions that read': (
        'l=[1]',
        'len(s.l), list(s.l), sorted(s.l), sum(s.l), min(s.l), max(s.l), any(s.l), all(s.l), tuple(s.l), set(s.l)',
        ['read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE'],
    ),
    'functions that step': (
        'l=[1]',
        'list(enumerate(s.l)), list(zip(s.l)), list(map(str, s.l)), list(filter(None, s.l))',
        ['read R s.l', 'iterate R l.WHOLE', 'read W ?.WHOLE', 'iterate R l.WHOLE', 'iterate R l.WHOLE', 'read R s.l', 'iterate R l.WHOLE', 'read W ?.WHOLE', 'iterate R l.WHOLE', 'iterate R l.WHOLE', 'read R s.l', 'iterate R l.WHOLE', 'read W ?.WHOLE', 'iterate R l.WHOLE', 'iterate R l.WHOLE', 'read R s.l', 'iterate R l.WHOLE', 'read W ?.WHOLE', 'iterate R l.WHOLE', 'iterate R l.WHOLE'],
    ),
    'method handed to map': (
        'l=[]',
        'list(map(s.l.append, [1]))',
        ['read R s.l', 'iterate R ?.WHOLE', 'read W ?.WHOLE', 'iterate R ?.WHOLE', 'write W l.WHOLE', 'iterate R ?.WHOLE'],
    ),
    'iterator by hand': (
        'l=[1]',
        'it = iter(s.l)\nnext(it)\nnext(it, None)',
        ['read R s.l', 'iterate R l.WHOLE', 'iterate R l.WHOLE', 'iterate R l.WHOLE'],
    ),
    'key function': (
        'l=[1]',
        'max(s.l, key=lambda x: x)',
        ['read R s.l', 'iterate R l.WHOLE', 'iterate R l.WHOLE', 'iterate R l.WHOLE'],
    ),
    'containment': (
        'l=[1], d={1:2}, z={1}',
        '1 in s.l, 1 in s.d, 1 not in s.z',
        ['read R s.l', 'read R l.WHOLE', 'read R s.d', 'check R d.1', 'read R s.z', 'check R z.WHOLE'],
    ),
    'truth': (
        'l=[1]',
        'if s.l and not s.l: pass\nreturn 1 if s.l else 2',
        ['read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE'],
    ),
    'operators': (
        'l=[1], m=[1]',
        'return s.l == s.m, s.l < s.m, s.l + s.m, s.l * 2',
        ['read R s.l', 'read R s.m', 'read R l.WHOLE R m.WHOLE', 'read R s.l', 'read R s.m', 'read R l.WHOLE R m.WHOLE', 'read R s.l', 'read R s.m', 'read R l.WHOLE R m.WHOLE', 'read R s.l', 'read R l.WHOLE'],
    ),
    'chained comparison': (
        'l=[1], m=[1]',
        'return [] < s.l <= s.m',
        ['read R s.l', 'read R ?.WHOLE R l.WHOLE', 'read R s.m', 'read R l.WHOLE R m.WHOLE'],
    ),
    'nested containers': (
        'l=[], m=[]',
        's.l.append(s.m)\nreturn s.l == [[]]',
        ['read R s.l', 'read R s.m', 'write W l.WHOLE', 'read R s.l', 'read R l.WHOLE R m.WHOLE R ?.WHOLE R ?.WHOLE'],
    ),
    'text': (
        'l=[1]',
        "return f'{s.l}', '%s' % s.l, '{}'.format(s.l), ','.join(s.l and ['a']), str(s.l)",
        ['read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R ?.WHOLE', 'read R s.l', 'read R l.WHOLE'],
    ),
    'container within a tuple': (
        'l=[1]',
        'return repr((s.l,))',
        ['read R s.l', 'read R l.WHOLE'],
    ),
    'heapq and bisect': (
        'l=[]',
        'heapq.heappush(s.l, 1)\nheapq.heappop(s.l)\nbisect.insort(s.l, 1)\nbisect.bisect(s.l, 1)\nheapq.nlargest(1, s.l)',
        ['read R s.l', 'write W l.WHOLE', 'read R s.l', 'write W l.WHOLE', 'read R s.l', 'write W l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.l', 'iterate R l.WHOLE', 'iterate R l.WHOLE', 'iterate R l.WHOLE'],
    ),
    'in-place operators': (
        'l=[], d={}, z=set()',
        's.l += [1]\ns.d |= {1: 2}\ns.z |= {1}\nl = s.l\nl += [3]',
        ['read R s.l', 'write W l.WHOLE R ?.WHOLE', 'write W s.l', 'read R s.d', 'write W d.WHOLE R ?.WHOLE', 'write W s.d', 'read R s.z', 'write W z.WHOLE R ?.WHOLE', 'write W s.z', 'read R s.l', 'write W l.WHOLE R ?.WHOLE'],
    ),
    'unpacking': (
        'l=[1], d={}',
        "a, *b = s.l\n[*s.l]\n{**s.d}\nprint(*s.l, end='')\nprint(*s.l, sep='', end='')\ndict(**s.d)",
        ['read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.d', 'read R d.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.d', 'read R d.WHOLE'],
    ),
    'globals': (
        'G = 0\ndef other():\n    global G\n    G = 1\n---\n',
        'global G\nG += 1\nother()',
        ['read R module.G', 'write W module.G', 'write W module.G'],
    ),
    'globals bound one by one': (
        'G = H = 0\n---\n',
        'global G, H\nG, H = 1, 2\nfor G in [1]: pass',
        ['write W module.G', 'write W module.H', 'iterate R ?.WHOLE', 'iterate R ?.WHOLE', 'write W module.G', 'iterate R ?.WHOLE'],
    ),
    'nonlocals': (
        '',
        'n = 0\ndef inc():\n    nonlocal n\n    n += 1\ninc()\nreturn n',
        ['write W ?.n', 'read R ?.n', 'write W ?.n', 'read R ?.n'],
    ),
    'defaultdict': (
        'd=collections.defaultdict(list)',
        "s.d['k'].append(1)\ns.d['k']",
        ['read R s.d', 'read W d.k W d.SHAPE', 'write W ?.WHOLE', 'read R s.d', 'read R d.k'],
    ),
    'OrderedDict': (
        'd=collections.OrderedDict(a=1)',
        "s.d.move_to_end('a')\ns.d['a'] = 2\nlist(s.d)",
        ['read R s.d', 'write W d.WHOLE', 'read R s.d', 'write W d.a W d.SHAPE', 'read R s.d', 'read R d.WHOLE'],
    ),
    'deque': (
        'q=collections.deque()',
        's.q.append(1)\ns.q.popleft()\nlen(s.q)',
        ['read R s.q', 'write W q.WHOLE', 'read R s.q', 'write W q.WHOLE', 'read R s.q', 'read R q.WHOLE'],
    ),
    "dictionary of one's own": (
        'class D(dict):\n    def get(self, k): return super().get(k)\n---\nd=D(a=1)',
        "s.d['b'] = 1\ns.d.get('a')\ns.d.pop('a')\ns.d.x = 1",
        ['read R s.d', 'write W d.b W d.SHAPE', 'read R s.d', 'read R d.a', 'read R s.d', 'write W d.a W d.SHAPE', 'read R s.d', 'write W d.x'],
    ),
    'overridden item access': (
        'class D(dict):\n    def __setitem__(self, k, v): super().__setitem__(k, v)\n---\nd=D(a=1)',
        "s.d['b'] = 1",
        ['read R s.d', 'write W d.b W d.SHAPE'],
    ),
    'generated methods': (
        '@dataclasses.dataclass\nclass P:\n    x: int\n---\np=P(1), q=P(1)',
        'return s.p == s.q, repr(s.p)',
        ['read R s.p', 'read R s.q', 'read R p.WHOLE R q.WHOLE', 'read R s.p', 'read R p.WHOLE'],
    ),
    'attribute of a function': (
        'def f(): pass\nf.n = 0\n---\n',
        'f.n += 1',
        ['read R f.n', 'write W f.n'],
    ),
    'lambda': (
        'n=1',
        'return (lambda: s.n)()',
        ['read R s.n'],
    ),
    'shared iterator': (
        'c=itertools.count()',
        'next(s.c)',
        ['read R s.c', 'iterate W c.WHOLE'],
    ),
    'threading.local': (
        't=threading.local()',
        's.t.x = 1\nreturn s.t.x',
        ['read R s.t', 'read R s.t'],
    ),
    'SimpleNamespace': (
        't=types.SimpleNamespace(x=1)',
        's.t.x += 1',
        ['read R s.t', 'read R t.x', 'write W t.x'],
    ),
    'lock': (
        'l=threading.Lock()',
        'with s.l: pass',
        ['read R s.l', 'acquire W l.WHOLE', 'release W l.WHOLE'],
    ),
    'event': (
        'e=threading.Event()',
        's.e.set()\ns.e.is_set()',
        ['read R s.e', 'acquire W ?.WHOLE', 'check R ?.WHOLE', 'release W ?.WHOLE', 'read R s.e', 'check R ?.WHOLE'],
    ),
    'walrus in a comprehension': (
        'n=[1]',
        'return [y for x in s.n if (y := x)]',
        ['read R s.n', 'iterate R n.WHOLE', 'iterate R n.WHOLE', 'iterate R n.WHOLE'],
    ),
    'generator expression': (
        'l=[1]',
        'return sum(x for x in s.l)',
        ['read R s.l', 'iterate R l.WHOLE', 'iterate W ?.WHOLE', 'iterate R l.WHOLE', 'iterate W ?.WHOLE', 'iterate R l.WHOLE'],
    ),
    'methods that compare': (
        'l=[[1]]',
        's.l.index([1])\ns.l.count(1)\ns.l.copy()\ns.l.sort()',
        ['read R s.l', 'read R l.WHOLE R ?.WHOLE R ?.WHOLE', 'read R s.l', 'read R l.WHOLE R ?.WHOLE', 'read R s.l', 'read R l.WHOLE', 'read R s.l', 'write W l.WHOLE R l.WHOLE R ?.WHOLE'],
    ),
    'dict.fromkeys': (
        'l=[1]',
        'return dict.fromkeys(s.l)',
        ['read R s.l', 'read R l.WHOLE'],
    ),
    'methods that consume': (
        'l=[], m=[1]',
        's.l.extend(s.m)\ns.l.append(s.m)',
        ['read R s.l', 'read R s.m', 'write W l.WHOLE R m.WHOLE', 'read R s.l', 'read R s.m', 'write W l.WHOLE'],
    ),
    'class attribute through super': (
        'class B:\n    data = []\nclass D(B):\n    def f(self): return super().data\n---\nd=D()',
        'return s.d.f()',
        ['read R s.d', 'read R B.data'],
    ),
    'objects that share a dictionary': (
        'state = {}\nclass B:\n    def __init__(self): self.__dict__ = state\n---\na=B(), b=B()',
        's.a.x = 1\nreturn s.b.x',
        ['read R s.a', 'write W state.x', 'read R s.b', 'read R state.x'],
    ),
    'yield from': (
        'l=[1]',
        'def g(): yield from s.l\nreturn list(g())',
        ['read W ?.WHOLE', 'read R s.l', 'iterate R l.WHOLE', 'iterate R l.WHOLE', 'iterate R l.WHOLE'],
    ),
    'match': (
        'l=[1]',
        'match s.l:\n    case [x]: return x',
        ['read R s.l', 'read R l.WHOLE'],
    ),
    'queue': (
        'q=queue.Queue()',
        's.q.put(1)\nreturn s.q.get()',
        ['read R s.q', 'acquire W ?.WHOLE', 'check R ?.WHOLE', 'release W ?.WHOLE', 'read R s.q', 'acquire W ?.WHOLE', 'check R ?.WHOLE', 'release W ?.WHOLE'],
    ),
    'logging': (
        'l=[1]',
        "logging.getLogger('x').debug('%s', s.l)",
        ['read R s.l', 'read R l.WHOLE'],
    ),
    'repr method': (
        'l=[1]',
        's.l.__repr__()',
        ['read R s.l', 'read R l.WHOLE'],
    ),
    'bytearray': (
        "b=bytearray(b'a')",
        'sum(s.b)\ns.b.append(1)\ns.b[0] = 2',
        ['read R s.b', 'read R b.WHOLE', 'read R s.b', 'write W b.WHOLE', 'read R s.b', 'write W b.WHOLE'],
    ),
    "length of one's own": (
        'class L(list):\n    def __len__(self): return super().__len__()\n---\nl=L()',
        'len(s.l)',
        ['read R s.l', 'read R l.WHOLE'],
    ),
    'attribute of a foreign class': (
        '',
        "return hasattr(dict, 'nothing')",
        [],
    ),
    'original lock': (
        'import _thread\n---\nl=_thread.allocate_lock()',
        'with s.l: s.l.locked()',
        ['read R s.l', 'acquire W ?.WHOLE', 'read R s.l', 'check R ?.WHOLE', 'release W ?.WHOLE'],
    ),
    'harmless function': (
        'import os\n---\n',
        'os.getpid()',
        [],
    ),
    'item as target of a comprehension': (
        'l=[1]',
        'return [0 for s.l[0 + 0] in [1]]',
        ['iterate R ?.WHOLE', 'iterate R ?.WHOLE', 'read R s.l', 'write W l.WHOLE', 'iterate R ?.WHOLE'],
    ),
    'plain names': (
        '',
        "return dir(1), dir(s)[:1], len('a')",
        ['read R s.WHOLE', 'read R ?.WHOLE'],
    ),
    'fold of rows': (
        'l=[[1]]',
        'return sum(s.l, []), max(s.l), min(s.l, [[0]])',
        ['read R s.l', 'read R l.WHOLE R ?.WHOLE R ?.WHOLE', 'read R s.l', 'read R l.WHOLE R ?.WHOLE', 'read R s.l', 'read R l.WHOLE R ?.WHOLE R ?.WHOLE R ?.WHOLE'],
    ),
    'fold of a view': (
        'd={1: 2}',
        'return sum(s.d.values()), max(s.d)',
        ['read R s.d', 'read R d.WHOLE', 'read R s.d', 'read R d.WHOLE'],
    ),
    'min of nothing shared': (
        '',
        'return min(1, 2), any(x for x in ())',
        ['iterate W ?.WHOLE'],
    ),
    'match of plain values': (
        'n=1',
        "match s.n:\n    case 1: return 'one'",
        ['read R s.n'],
    ),
    'match of mappings': (
        'd={1: [2]}',
        'match s.d:\n    case {1: [x]}: return x',
        ['read R s.d', 'read R d.WHOLE R ?.WHOLE'],
    ),
    'attribute of a method': (
        '',
        "return s.__init__.__func__.__name__, S.__init__.tag if hasattr(S.__init__, 'tag') else 0",
        ['read R ?.tag'],
    ),
    "module of one's own": (
        'import sys\nG = 1\n---\n',
        'return sys.modules[__name__].G',
        ['read R ?.modules', 'read R ?.program_under_observation', 'read R module.G'],
    ),
    'enum': (
        'import enum\nclass C(enum.Enum):\n    A = 1\n---\nd={C.A: 1}',
        'return s.d[C.A], C.A.value, C(1)',
        ['read R s.d', 'read R C.A', 'read R d.WHOLE', 'read R C.A'],
    ),
    'class made of an argument': (
        'class L(list): pass\n---\nl=[1]',
        'return L(s.l)',
        ['read R s.l', 'read R l.WHOLE'],
    ),
    "truth of one's own": (
        'class E:\n    def __bool__(self): return self.n\n    n = True\n---\ne=E()',
        'return 1 if s.e else 2',
        ['read R s.e', 'read R e.n R E.n'],
    ),
}

WEAKENED: dict[str, tuple[str, str, list[str]]] = {
    'copy.deepcopy': (
        'l=[[1]]',
        'copy.deepcopy(s.l)',
        ['`deepcopy` uses a shared list and cannot be looked into'],
    ),
    'copy.copy': (
        'l=[[1]]',
        'copy.copy(s.l)',
        ['`copy` uses a shared list and cannot be looked into'],
    ),
    'json.dumps': (
        'l=[[1]]',
        'json.dumps(s.l)',
        ['`dumps` uses a shared list and cannot be looked into'],
    ),
    'lru_cache': (
        '@functools.lru_cache\ndef f(x): return x\n---\n',
        'f(1)',
        ['`_lru_cache_wrapper` uses a shared _lru_cache_wrapper and cannot be looked into', '`_lru_cache_wrapper` uses a shared dict and cannot be looked into', '`_lru_cache_wrapper` uses a shared object and cannot be looked into'],
    ),
    'next of a shared generator': (
        'def g():\n    yield 1\n    yield 2\n    yield 3\n---\ng=g()',
        'next(s.g)',
        ['a generator is shared, and its inner state is not observed'],
    ),
    'loop over a shared generator': (
        'def g():\n    yield 1\n---\ng=g()',
        'for x in s.g: pass',
        ['a generator is shared, and its inner state is not observed'],
    ),
    'Counter': (
        'c=collections.Counter()',
        "s.c.update('a')",
        ['`Counter.update` uses a shared Counter and cannot be looked into'],
    ),
    'elements with equality of their own': (
        'class E:\n    def __eq__(self, o): return self is o\n---\nl=[E()]',
        'return 1 in s.l',
        ['the code of an element runs halfway through an operation'],
    ),
    'key with hash of its own': (
        'class E:\n    def __hash__(self): return 1\n---\nd={}, e=E()',
        's.d[s.e] = 1',
        ['the `__hash__` or `__eq__` of a E runs halfway through'],
    ),
    "default_factory of one's own": (
        'd=collections.defaultdict(lambda: 1)',
        'return s.d[1]',
        ['`default_factory` of a shared container runs other code halfway through'],
    ),
    'sorting by a key': (
        'l=[1]',
        's.l.sort(key=lambda x: x)',
        ['`sort` of a shared container runs other code halfway through'],
    ),
    'consuming a generator': (
        'l=[1]',
        's.l.extend(x for x in [1])',
        ['`extend` of a shared container runs other code halfway through'],
    ),
    'files': (
        '',
        "open('/dev/null').close()",
        ['`TextIOWrapper.close` reaches outside the program, where nothing is observed', '`open` reaches outside the program, where nothing is observed'],
    ),
    'foreign object': (
        'm=memoryview(bytearray(2))',
        's.m[0] = 1',
        ['a memoryview is shared, and its inner state is not observed'],
    ),
    'exec': (
        '',
        "exec('s.x = 1')",
        ['`exec` reaches names and attributes unseen'],
    ),
    'globals': (
        '',
        "globals()['zz'] = 1",
        ['`globals` reaches names and attributes unseen'],
    ),
    'setting a global of another module': (
        '',
        'collections.zz = 1',
        ['`zz` of a module is set from outside, where its own functions may read it unseen'],
    ),
    'method replaced on an object': (
        '',
        's.__init__ = 1',
        ['the method `__init__` is replaced on an object'],
    ),
    'method replaced on a class': (
        '',
        'S.__init__ = S.__init__',
        ['the method `__init__` is replaced on a class'],
    ),
    'match with guards': (
        'l=[1]',
        'match s.l:\n    case [x] if x: return x',
        ['a match statement looks into a shared object unseen'],
    ),
    'match of attributes': (
        'p=S(a=1)',
        'match s.p:\n    case S(a=x): return x',
        ['a match statement looks into a shared object unseen'],
    ),
    'class body inside a function': (
        '',
        'class L:\n    x = len([])',
        ['the body of the class `L` inside a function is not observed'],
    ),
    'foreign descriptor': (
        "class D:\n    p = property(operator.attrgetter('q'))\n    q = 1\n---\nd=D()",
        'return s.d.p',
        ['the descriptor `p` of a shared object cannot be looked into'],
    ),
    'timed wait': (
        'l=threading.Lock()',
        's.l.acquire(timeout=1)\ns.l.release()',
        ['a lock is waited for with a timeout, which was only let run out when nobody else could go on'],
    ),
    'attribute of a waiting object': (
        'b=threading.Barrier(1)',
        'return s.b.n_waiting',
        ['`n_waiting` of a Barrier is read without its lock', 'a Barrier is shared, and its inner state is not observed'],
    ),
    'arguments unpacked late': (
        'l=[1]',
        'print(*s.l, end=str(1))',
        ['shared arguments are unpacked later than they are evaluated'],
    ),
    'chained comparison in a comprehension': (
        'l=[1], m=[1]',
        'return [0 for _ in [1] if s.l + s.m < s.m < s.l]',
        ['a chain of comparisons within a comprehension is not observed'],
    ),
    'global bound by an exception handler': (
        'G = 0\n---\n',
        'global G\ntry: 1/0\nexcept Exception as G: pass',
        ['`G`, which other functions use, is bound by ExceptHandler unseen'],
    ),
    'UserDict': (
        'd=collections.UserDict()',
        "s.d['a'] = 1\nreturn s.d['a']",
        ['a UserDict is shared, and its inner state is not observed'],
    ),
    'heap of elements with order of their own': (
        'class E:\n    def __lt__(self, o): return True\n---\nl=[]',
        'heapq.heappush(s.l, E())',
        ['`heappush` of a shared container runs other code halfway through'],
    ),
    'in-place operator with a generator': (
        'l=[1]',
        'l = s.l\nl += (x for x in [1])',
        ['`in-place operator` of a shared container runs other code halfway through'],
    ),
    'mapping proxy': (
        'p=types.MappingProxyType({})',
        'return 1 in s.p, len(s.p)',
        ['a mappingproxy is shared, and its inner state is not observed'],
    ),
    'methodcaller': (
        'l=[]',
        "operator.methodcaller('append', 1)(s.l)",
        ['`methodcaller` uses a shared list and cannot be looked into'],
    ),
    'elements with text of their own': (
        "class E:\n    def __repr__(self): return 'E'\n---\nl=[E()]",
        "return f'{s.l}'",
        ['the code of an element runs halfway through an operation'],
    ),
    'attrgetter': (
        'l=[1]',
        "operator.attrgetter('n')(s)",
        ['`attrgetter` uses a shared S and cannot be looked into', '`attrgetter` uses a shared list and cannot be looked into'],
    ),
    'too much for a call': (
        'l=[[i] for i in range(600)]',
        'json.dumps(s.l)',
        ['`dumps` is given too much to be looked into', '`dumps` uses a shared list and cannot be looked into'],
    ),
    'too much for a match': (
        'l=[[i] for i in range(600)]',
        'match s.l:\n    case [x]: pass',
        ['a match statement is given too much to be looked into'],
    ),
    'method of a built-in function': (
        'l=[1]',
        'types.MethodType(len, s.l)()',
        ['`method` uses a shared list and cannot be looked into'],
    ),
    'foreign setter': (
        "class D:\n    p = property(operator.attrgetter('q'), operator.is_)\n---\nd=D()",
        's.d.p = 1',
        ['the descriptor `p` of a shared object cannot be looked into'],
    ),
    'in-place on a foreign object': (
        'u=collections.UserList()',
        's.u += [1]',
        ['a UserList is shared, and its inner state is not observed'],
    ),
    'foreign context': (
        'm=memoryview(bytearray(1))',
        'try:\n    with s.m: pass\nexcept ValueError: pass',
        ['a memoryview is shared, and its inner state is not observed'],
    ),
    'iteration by foreign code': (
        'class U(collections.UserList): pass\n---\nu=U([1])',
        'for x in s.u: pass',
        ['a U is shared, and its inner state is not observed'],
    ),
    'truth by foreign code': (
        'class U(collections.UserList): pass\n---\nu=U([1])',
        'return 1 if s.u else 2',
        ['a U is shared, and its inner state is not observed'],
    ),
    'item by foreign code': (
        'class U(collections.UserList): pass\n---\nu=U([1])',
        's.u[0] = 1',
        ['a U is shared, and its inner state is not observed'],
    ),
    'call by foreign code': (
        'class C:\n    __call__ = operator.itemgetter(0)\n---\nc=C()',
        'try: s.c([1])\nexcept TypeError: pass',
        ['`C` uses a shared C and cannot be looked into'],
    ),
    'unset slots': (
        "class A:\n    __slots__ = ('x', 'y')\n    def __init__(self): self.y = []\n---\na=A()",
        'copy.copy(s.a)',
        ['`copy` uses a shared A and cannot be looked into', '`copy` uses a shared list and cannot be looked into'],
    ),
    'view handed to foreign code': (
        'd={}',
        'operator.length_hint(s.d.keys())',
        ['`length_hint` uses a shared dict and cannot be looked into'],
    ),
    'foreign function': (
        'l=[1]',
        'itertools.tee(s.l)',
        ['`tee` uses a shared list and cannot be looked into'],
    ),
    "foreign method on one's own class": (
        'class D(json.JSONEncoder): pass\n---\nd=D()',
        's.d.encode([])',
        ['`JSONEncoder.encode` uses a shared D and cannot be looked into'],
    ),
    'foreign iteration': (
        'p=types.MappingProxyType({1: 2})',
        'for k in s.p: pass',
        ['a mappingproxy is shared, and its inner state is not observed'],
    ),
    'foreign base class': (
        'class D(json.JSONEncoder): pass\n---\nl=[1]',
        'D(default=s.l)',
        ['`D` uses a shared list and cannot be looked into'],
    ),
    'unbound foreign method': (
        'm=memoryview(bytearray(1))',
        'memoryview.tolist(s.m)',
        ['`method_descriptor` uses a shared bytearray and cannot be looked into', '`method_descriptor` uses a shared managedbuffer and cannot be looked into', '`method_descriptor` uses a shared memoryview and cannot be looked into'],
    ),
    'heap that is no list': (
        'u=collections.UserList()',
        'try: heapq.heapify(s.u)\nexcept TypeError: pass',
        ['`heapify` uses a shared UserList and cannot be looked into', '`heapify` uses a shared list and cannot be looked into'],
    ),
    'in-place with elements that run code': (
        'class E:\n    def __iter__(self): return iter([1])\n---\nl=[]',
        'l = s.l\nl += E()',
        ['`in-place operator` of a shared container runs other code halfway through'],
    ),
    'foreign attribute': (
        'm=memoryview(bytearray(1))',
        'return s.m.nbytes',
        ['a memoryview is shared, and its inner state is not observed'],
    ),
}
