"""The interleaving of a proof as a drawing: one lane per task, time going down, arrows where control switches.

The text is set in a fixed width font and everything is placed by counting characters, so that no measuring of
fonts is needed. The drawing loads nothing and follows the reader's choice of light or dark.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from racehound.model.proof import Proof
from racehound.reporters import wording
from racehound.reporters.wording import Row

NAMESPACE = "http://www.w3.org/2000/svg"
LETTER = 7.9
"""The width of a character at the size below, with some air."""
LINE = 18
SIZE = 13
PADDING = 10
LANE = 40
"""Characters in a lane."""
WIDEST = 110
"""Characters in a line of text above or below the lanes."""

STYLE = """
svg.rh { --ink: #1f2328; --dim: #59636e; --paper: #ffffff; --card: #f6f8fa; --edge: #d1d9e0; --switch: #8250df;
  --bad: #cf222e; --good: #1a7f37; --value: #953800; }
@media (prefers-color-scheme: dark) { svg.rh { --ink: #f0f6fc; --dim: #9198a1; --paper: #0d1117; --card: #151b23;
  --edge: #3d444d; --switch: #ab7df8; --bad: #f85149; --good: #3fb950; --value: #ffa657; } }
svg.rh text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  fill: var(--ink); white-space: pre; }
svg.rh .strong { font-weight: 600; } svg.rh .dim { fill: var(--dim); } svg.rh .value { fill: var(--value); }
svg.rh .bad { fill: var(--bad); font-weight: 600; } svg.rh .good { fill: var(--good); font-weight: 600; }
svg.rh .paper { fill: var(--paper); } svg.rh .card { fill: var(--card); stroke: var(--edge); }
svg.rh .lane { stroke: var(--edge); stroke-dasharray: 2 4; }
svg.rh .switch { stroke: var(--switch); fill: none; stroke-width: 1.5; } svg.rh .head { fill: var(--switch); }
"""


@dataclass(frozen=True, slots=True)
class Card:
    """A row of the interleaving in its place."""

    row: Row
    lane: int
    top: float

    @property
    def height(self) -> float:
        return PADDING + LINE * (1 + len(self.row.operations))

    @property
    def bottom(self) -> float:
        return self.top + self.height


def render(proof: Proof) -> str:
    """The whole drawing; a proof without an interleaving is a drawing of its verdict."""
    tasks = sorted({step.task for step in proof.timeline})
    above, below = list(_above(proof)), list(_below(proof))
    rows = list(wording.rows(proof.timeline, length=LANE - 2))
    gutter = LETTER * (2 + max((len(row.place) for row in rows), default=0))
    lane = LETTER * LANE + 3 * PADDING
    top = PADDING + LINE * (len(above) + 2)
    cards = list(_cards(rows, tasks, top))
    end = cards[-1].bottom + LINE if cards else top - LINE
    body = [
        *_lines(above, PADDING),
        *_lanes(tasks, gutter, lane, (top, end)),
        *_switches(cards, gutter, lane),
        *(part for card in cards for part in _card(card, gutter, lane)),
        *_lines(below, end),
    ]
    longest = max(len(text) for _, text in (*above, *below))
    width = max(gutter + lane * len(tasks), LETTER * longest) + 2 * PADDING
    return _framed(proof, body, width, end + LINE * len(below) + PADDING)


def _framed(proof: Proof, body: Sequence[str], width: float, height: float) -> str:
    size = f'width="{width:.0f}" height="{height:.0f}"'
    parts = [
        f'<svg xmlns="{NAMESPACE}" class="rh" role="img" viewBox="0 0 {width:.0f} {height:.0f}" {size}>',
        f"<title>{escape(proof.verdict.value)}: {escape(proof.reason)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" {size} rx="6"/>',
        *body,
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _above(proof: Proof) -> Iterator[tuple[str, str]]:
    mood = {"race": "bad", "safe": "good"}.get(proof.verdict.value, "strong")
    yield mood, f"{proof.verdict} after {wording.executions(proof)}"
    yield "", wording.clip(proof.reason, WIDEST)
    if proof.scenario is not None:
        scenario = wording.spoken_scenario(proof.scenario)
        yield "dim", wording.clip("; ".join(("set-up " + scenario.setup, *scenario.prefix)), WIDEST)
        for number, calls in enumerate(scenario.tasks, 1):
            yield "dim", wording.clip(f"task {number} {'; '.join(calls)}", WIDEST)
    for path in wording.files(proof):
        yield "dim", wording.clip(f"file {path}", WIDEST)


def _below(proof: Proof) -> Iterator[tuple[str, str]]:
    outcomes = [wording.outcome(item, WIDEST) for item in proof.serial] if proof.timeline else []
    for text in dict.fromkeys(outcomes):
        yield "good", wording.clip(f"serial {text}", WIDEST)
    if proof.outcome is not None:
        yield "bad", wording.clip(f"here   {wording.outcome(proof.outcome, WIDEST)}", WIDEST)
    if proof.confirmation:
        yield "strong", wording.clip(proof.confirmation, WIDEST)


def _lines(lines: Sequence[tuple[str, str]], top: float) -> Iterator[str]:
    for number, (kind, text) in enumerate(lines, 1):
        yield _text(PADDING, top + LINE * number, text, kind)


def _cards(rows: Sequence[Row], tasks: Sequence[int], top: float) -> Iterator[Card]:
    for row in rows:
        top += LINE if row.switch else 4
        card = Card(row, tasks.index(row.task), top)
        yield card
        top = card.bottom


def _lanes(tasks: Sequence[int], gutter: float, lane: float, span: tuple[float, float]) -> Iterator[str]:
    for number, task in enumerate(tasks):
        left = gutter + lane * number
        yield _text(left + PADDING, span[0] - 4, f"task {task + 1}", "strong")
        middle = left + lane / 2
        yield f'<line class="lane" x1="{middle:.0f}" x2="{middle:.0f}" y1="{span[0]:.0f}" y2="{span[1]:.0f}"/>'


def _card(card: Card, gutter: float, lane: float) -> Iterator[str]:
    left = gutter + lane * card.lane
    yield _text(PADDING / 2, card.top + SIZE + 4, card.row.place, "dim")
    box = f'x="{left:.0f}" y="{card.top:.0f}" width="{lane - PADDING:.0f}" height="{card.height:.0f}"'
    yield f'<rect class="card" {box} rx="5"/>'
    yield _text(left + PADDING, card.top + SIZE + 4, wording.clip(card.row.source, LANE), "strong")
    for number, operation in enumerate(card.row.operations, 1):
        yield _text(left + PADDING, card.top + SIZE + 4 + LINE * number, f"  {operation}", "value")


def _switches(cards: Sequence[Card], gutter: float, lane: float) -> Iterator[str]:
    """An arrow from the end of one task's turn to the beginning of the other's."""
    for before, card in pairwise(cards):
        if card.row.switch:
            start, end = (gutter + lane * (which.lane + 0.5) for which in (before, card))
            level = (before.bottom + card.top) / 2
            path = f"M{start:.0f} {before.bottom:.0f} V{level:.0f} H{end:.0f} V{card.top:.0f}"
            yield f'<path class="switch" d="{path}"/>'
            head = f"M{end - 4:.0f} {card.top - 6:.0f} h8 l-4 6 z"
            yield f'<path class="head" d="{head}"><title>switch to task {card.row.task + 1}</title></path>'


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" class="{kind}" xml:space="preserve">{escape(text)}</text>'
