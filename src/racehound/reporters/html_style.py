"""Looks and filters of the page: no file, font or script from elsewhere."""

STYLE = """
:root { color-scheme: light dark; --ink: #1c2127; --paper: #fff; --soft: #f3f5f8; --line: #d5dae1; --dim: #5c6773;
  --error: #b3261e; --warning: #9a5b00; --info: #1f5fa8; --good: #1a6b3c; --mark: #fff3c4; --add: #e3f5e8;
  --cut: #fde7e5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e7ec; --paper: #15181c; --soft: #1e2329; --line: #363d46;
  --dim: #98a3b0; --error: #ff8a80; --warning: #f0b45b; --info: #82b7f5; --good: #7bd19a; --mark: #4a3f16;
  --add: #173524; --cut: #43201d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 72rem; font: 15px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0; } h4 { font-size: .9rem; margin: 1rem 0 .35rem; color: var(--dim); }
p { margin: .35rem 0; } code, pre, .place { font-family: ui-monospace, Menlo, Consolas, monospace;
  font-size: 13px; }
form { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: .5rem; padding: .75rem 0; margin: 1rem 0;
  background: var(--paper); border-bottom: 1px solid var(--line); z-index: 1; }
label { display: flex; gap: .35rem; align-items: center; color: var(--dim); }
select, input { font: inherit; padding: .2rem .4rem; color: inherit; background: var(--soft);
  border: 1px solid var(--line); border-radius: 4px; }
article { border: 1px solid var(--line); border-left: 4px solid var(--info); border-radius: 6px; padding: 1rem;
  margin: 1rem 0; } article.error { border-left-color: var(--error); }
article.warning { border-left-color: var(--warning); }
header { display: flex; flex-wrap: wrap; gap: .5rem; align-items: baseline; justify-content: space-between; }
.tags span { display: inline-block; padding: 0 .5rem; margin-left: .25rem; border: 1px solid var(--line);
  border-radius: 1rem; font-size: 12px; color: var(--dim); }
.tags .race, .tags .error { color: var(--error); border-color: currentColor; }
.tags .safe { color: var(--good); border-color: currentColor; }
.tags .warning { color: var(--warning); border-color: currentColor; }
.place { color: var(--dim); overflow-wrap: anywhere; }
.frame { overflow-x: auto; background: var(--soft); border-radius: 4px; padding: .5rem 0;
  margin: .5rem 0; }
.frame pre { margin: 0; min-width: max-content; }
.frame span { display: block; padding: 0 .75rem; white-space: pre; }
.frame span.hit { background: var(--mark); } .frame span.add { background: var(--add); }
.frame span.cut { background: var(--cut); } .frame i { display: inline-block; width: 4ch; margin-right: 1.5ch;
  text-align: right; color: var(--dim); font-style: normal; user-select: none; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; font-weight: 600; }
th, td { padding: .2rem .6rem; vertical-align: top; border-bottom: 1px solid var(--line); }
table.facts th { width: 6rem; color: var(--dim); font-weight: 500; }
a { color: var(--info); } :is(a, .frame, summary):focus-visible { outline: 2px solid var(--info); }
ul.questions li { padding: .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
li.bad b { color: var(--error); } li.good b { color: var(--good); } ul.questions { list-style: none; padding: 0; }
summary { cursor: pointer; color: var(--dim); } [hidden] { display: none !important; }
footer { margin-top: 2rem; color: var(--dim); }
@media print { form { display: none; } article { break-inside: avoid; } }
"""

SCRIPT = """
const form = document.querySelector('form'), cards = [...document.querySelectorAll('article')];
function sift() {
  const wanted = Object.fromEntries(new FormData(form)), words = wanted.words.toLowerCase();
  let shown = 0;
  for (const card of cards) {
    const fits = ['rule', 'severity', 'confidence', 'grade', 'verdict', 'path']
      .every(name => !wanted[name] || card.dataset[name] === wanted[name]);
    card.hidden = !fits || !card.textContent.toLowerCase().includes(words);
    shown += !card.hidden;
  }
  document.querySelector('#shown').textContent = shown + ' of ' + cards.length + ' shown';
}
form.addEventListener('input', sift);
form.addEventListener('submit', event => event.preventDefault());
sift();
"""
