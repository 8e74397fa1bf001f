/** The style of all pages. Pictures keep a white background, also in dark mode: most figures are drawn for paper. */
export const style = `
:root { color-scheme: light dark; --text: #1c2530; --quiet: #566373; --back: #f3f5f8; --sheet: #fff;
  --line: #d7dde5; --link: #1d5a9e; --mark: #e4edf8; --keyword: #8a2283; --string: #1f6b2e; --number: #9a4a00;
  --name: #1d5a9e; --added: #dcf5e1; --removed: #fde3e3; --added-word: #a5e3b3; --removed-word: #f9b9b9; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e3e8ee; --quiet: #a3afbd; --back: #11161c; --sheet: #1a2129; --line: #343e4a;
    --link: #82b7f2; --mark: #24364b; --keyword: #dd9be0; --string: #8fd19e; --number: #f0b27a; --name: #82b7f2;
    --added: #16301d; --removed: #3d1d20; --added-word: #1f5a31; --removed-word: #74292e; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { display: flex; flex-direction: column; min-height: 100vh; margin: 0; font: 1rem/1.55 system-ui, sans-serif;
  color: var(--text); background: var(--back); overflow-wrap: anywhere; }
body > * { width: 100%; max-width: 58rem; margin: 0 auto; }
.skip { position: absolute; left: 0; z-index: 1; width: auto; padding: .75rem 1.25rem; background: var(--sheet); font-weight: 600; }
.skip:not(:focus) { transform: translateY(-110%); }
body > header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .5rem 1.25rem .25rem;
  font-weight: 600; }
body > header nav { display: flex; flex-wrap: wrap; gap: 0 1.25rem; min-width: 0; }
body > header a { min-width: 0; padding: .375rem 0; color: var(--quiet); text-decoration: none; }
body > header > a { color: var(--text); }
body > header a:is(:hover, :focus-visible) { text-decoration: underline; }
body > footer { padding: 1rem 1.25rem 2rem; font-size: .9rem; }
body > footer a { color: var(--quiet); }
.notice { margin: 1rem 0; padding: .75rem 1.25rem; white-space: pre-line; background: var(--mark);
  border-left: .25rem solid var(--link); }
body > .notice { margin: .5rem auto 1rem; }
body > main { flex: 1; padding: 1.5rem 1.25rem 2rem; background: var(--sheet);
  border: 1px solid var(--line); border-width: 1px 0; }
@media (min-width: 60rem) {
  body > main { flex: none; border-width: 1px; border-radius: .75rem; padding: 2rem 2.5rem 2.5rem; } }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.15rem; }
h3 { margin: 1.25rem 0 .375rem; font-size: 1rem; }
p { margin: .625rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
body > main:focus { outline: 0; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
form { display: grid; gap: 1rem; max-width: 24rem; margin: 1.5rem 0; }
form.wide { max-width: none; }
form.inline { display: block; max-width: none; margin: 0; }
form.search { grid-template-columns: 1fr auto; align-items: end; gap: .5rem; max-width: none; margin: 1rem 0; }
form.search label { font-weight: 400; }
form.search > :is(fieldset, p, label:has(select), label:has([name=meta])) { grid-column: 1 / -1; margin: 0; }
form.search [name=meta] { max-width: 24rem; }
form.search label:has(select) { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .5rem; }
form.search select { width: auto; max-width: 100%; padding: .25rem .5rem; }
.chips { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0; }
.chips a { display: inline-block; padding: .25rem .75rem; border-radius: 1rem; background: var(--mark); color: var(--text);
  font-size: .9rem; text-decoration: none; }
.chips a:is(:hover, :focus-visible) { text-decoration: underline; }
fieldset { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0; border: 0; }
fieldset.choice legend { font-weight: 600; }
fieldset.choice label { font-weight: 400; }
fieldset label { display: flex; gap: .375rem; align-items: center; min-height: 1.75rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
label { display: grid; gap: .25rem; font-weight: 600; }
label .quiet { font-weight: 400; }
input, button, textarea, select { font: inherit; border-radius: .5rem; padding: .5rem .75rem; }
input, textarea, select { color: inherit; background: var(--back); border: 1px solid var(--quiet); min-width: 0; font-weight: 400; }
:is(input, select, textarea):not([type=checkbox], [type=radio], [type=search]) { width: 100%; }
label.check { display: flex; align-items: baseline; gap: .5rem; font-weight: 400; }
label.check input { flex: none; }
button, .button { justify-self: start; border: 0; font-weight: 600; color: #fff; background: #1d5a9e; cursor: pointer; }
.button { display: inline-block; padding: .5rem .75rem; border-radius: .5rem; text-decoration: none; }
button.secondary, .button.secondary { color: var(--text); background: none; border: 1px solid currentColor; }
:is(button, .button).dangerous { background: #a93226; }
.buttons { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.path ol { display: flex; flex-wrap: wrap; margin: 0 0 .75rem; padding: 0; list-style: none; font-size: .9rem; }
.path li:not(:last-child)::after { content: "›"; margin: 0 .5rem; color: var(--quiet); }
ul.actions { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .75rem 0; font-size: .9rem; }
.list { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1.25rem; margin: 2.25rem 0 .75rem; }
.list :is(h1, h2) { flex: 1; margin: 0; }
main > .list:first-child { margin-top: 0; }
.list :is(a, .views) { font-size: .9rem; }
.views { display: flex; gap: .75rem; }
.views [aria-current] { font-weight: 600; }
form.filter { grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); align-items: end; gap: .5rem .75rem;
  max-width: none; margin: 0 0 1.5rem; }
form.filter label { font-weight: 400; font-size: .9rem; }
form.filter label:first-of-type { grid-column: 1 / -1; }
form.filter :is(input, select, button) { height: 2.75rem; }
.way { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; }
.points { margin: 1rem 0; padding-inline-start: 1.25rem; list-style: disc; }
.results { margin: 0; padding: 0; list-style: none; }
.results li { display: flex; gap: 1rem; padding: .875rem 0; border-top: 1px solid var(--line); }
.results li > div { flex: 1; min-width: 0; }
.results img { width: 6rem; height: 4.5rem; object-fit: contain; background: #fff; border: 1px solid var(--line); border-radius: .375rem; }
.results p { margin: .125rem 0; }
.slides > li { flex-wrap: wrap; }
.slides > li > div { flex: 1 1 10rem; }
.slides .buttons { flex: none; align-content: start; }
.slides button { padding: .25rem .625rem; }
.meters { display: grid; gap: .5rem; max-width: 24rem; }
.meters label { grid-template-columns: 8rem 1fr; align-items: center; font-weight: 400; }
.meters meter { width: 100%; }
fieldset.list { flex-direction: column; max-height: 20rem; overflow-y: auto; }
fieldset.list legend { font-weight: 600; margin-bottom: .25rem; }
.preview { margin: 1rem 0; padding: .75rem 1rem; border: 1px dashed var(--line); border-radius: .5rem; }
blockquote { margin: .75rem 0; padding-inline-start: .75rem; color: var(--quiet); border-inline-start: 3px solid var(--line); }
.snippet { font-size: .9rem; }
mark { color: inherit; background: var(--mark); }
.tabs { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: start; gap: .5rem 1.5rem;
  margin-bottom: 1.5rem; border-bottom: 1px solid var(--line); }
.tabs nav { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.tabs a { padding: .375rem 0; color: var(--quiet); text-decoration: none; }
.tabs a:is(:hover, :focus-visible) { text-decoration: underline; }
.tabs [aria-current] { color: var(--text); font-weight: 600; box-shadow: inset 0 -2px var(--link); }
.tabs form { margin: 0 0 .5rem; }
.tabs button, .entries button, .copyable button { padding: .25rem .625rem; font-size: .9rem; }
.entries > li { display: flex; justify-content: space-between; align-items: start; gap: .5rem 1rem; padding: .75rem 0;
  border-top: 1px solid var(--line); }
.entries > li:first-child { border-top: 0; }
.entries > li > div { flex: 1; min-width: 0; }
.entries .quiet { display: block; }
.entries form { margin: .25rem 0; }
form.row { display: flex; flex-wrap: wrap; gap: .5rem; max-width: none; }
form.row select { width: auto; padding: .25rem .5rem; }
.entries details { margin-top: .25rem; }
.avatar { display: block; max-width: 8rem; max-height: 8rem; border-radius: .5rem; }
.copyable { display: grid; gap: .5rem; margin: .75rem 0; }
.copyable pre { white-space: pre-wrap; }
form.publish { max-width: 36rem; }
form.publish .inputs { display: grid; gap: 1rem; }
.drop { padding: 1.25rem 1rem; text-align: center; border: 2px dashed var(--quiet); border-radius: .5rem; cursor: pointer; }
.drop input { margin-top: .5rem; }
.dropping :is(main, dialog) { outline: 3px dashed var(--link); outline-offset: -.75rem; }
.files li { display: flex; align-items: center; gap: 0 .75rem; padding: .25rem 0; }
.files span:first-child { flex: 1; min-width: 0; }
.files span + .quiet { max-width: 40%; text-align: end; }
.files button { padding: 0 .5rem; }
.sending { display: flex; align-items: center; gap: .75rem; }
.sending progress { flex: 1; min-width: 0; }
body > .news { position: fixed; inset: auto 0 1rem; width: fit-content; margin: 0 auto; max-width: calc(100% - 2rem); padding: .5rem 1rem;
  background: var(--mark); border: 1px solid var(--link); border-radius: .5rem; }
.news:empty { display: none; }
dialog { width: calc(100% - 2rem); max-width: 38.5rem; margin: auto; padding: 1.25rem; color: var(--text); background: var(--sheet);
  border: 1px solid var(--line); border-radius: .75rem; }
dialog h2 { margin: 0; }
dialog::backdrop { background: rgb(0 0 0 / .5); }
.stale { margin: 1rem 0; padding: .75rem 1.25rem; background: var(--mark); border-left: .25rem solid var(--link); }
.stale h2 { margin: 0; font-size: 1rem; }
.stale ul { margin: .375rem 0 0; }
.stale form { margin: .75rem 0 .25rem; align-items: end; }
.stale label { flex: 1 1 16rem; max-width: 30rem; }
.problem { margin: .625rem 0; padding: .5rem .75rem; border-left: 3px solid #c0392b; background: var(--back); }
.kind, .quiet { color: var(--quiet); }
.kind { margin: 0 0 .25rem; font-size: .9rem; }
.quiet { font-size: .9rem; }
.words { white-space: pre-line; }
.mark { display: inline-block; padding: .05rem .55rem; border-radius: 1rem; background: var(--mark);
  font-size: .85rem; }
.picture { margin: 1.5rem 0; padding: .5rem; background: #fff; border: 1px solid var(--line);
  border-radius: .5rem; text-align: center; }
.picture img { display: block; max-width: 100%; height: auto; max-height: 80vh; margin: 0 auto; object-fit: contain; }
.empty { margin: 1.5rem 0; padding: 2rem 1rem; border: 1px dashed var(--line); border-radius: .5rem;
  text-align: center; color: var(--quiet); }
pre { margin: 0; padding: .875rem 1rem; max-height: 28rem; overflow: auto; background: var(--back);
  border: 1px solid var(--line); border-radius: .5rem; font: .8125rem/1.5 ui-monospace, monospace;
  tab-size: 4; }
code { font: .875em ui-monospace, monospace; }
pre code { font: inherit; }
.diff code > * { display: block; white-space: pre; min-width: max-content; min-height: 1lh; }
.place { color: var(--quiet); }
ins { background: var(--added); text-decoration: none; }
del { background: var(--removed); text-decoration: none; }
.diff mark { color: inherit; }
ins mark { background: var(--added-word); }
del mark { background: var(--removed-word); }
.columns { display: flex; flex-wrap: wrap; gap: .375rem .75rem; margin-bottom: .75rem; }
.columns :is(ins, del), .cells :is(ins, del) { padding: 0 .25rem; }
.cells { width: max-content; border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
.cells :is(th, td) { padding: .25rem .625rem; border: 1px solid var(--line); text-align: start; vertical-align: top; }
.cells th { background: var(--back); }
.cells .number { text-align: end; }
.invoice .parties { display: flex; flex-wrap: wrap; gap: 1rem 3rem; margin: 1.5rem 0; }
.invoice .parties > div { flex: 1 1 12rem; white-space: pre-line; overflow-wrap: anywhere; }
.invoice .cells { width: 100%; }
.invoice tfoot td { background: var(--back); }
.cells th .quiet { display: block; font-weight: 400; }
.cells :is(th, td) { max-width: 20rem; }
.scroll { overflow-x: auto; }
.json { padding: .5rem .75rem; max-height: 28rem; overflow: auto; background: var(--back); border: 1px solid var(--line);
  border-radius: .5rem; font: .8125rem/1.6 ui-monospace, monospace; }
.json ul { padding-left: 1.25rem; }
.json .quiet { font-size: inherit; }
summary { cursor: pointer; }
summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.plot { display: block; margin: .5rem 0; overflow: visible; font-size: .8125rem; fill: var(--quiet); }
.plot rect { fill: var(--link); }
.plot line { stroke: var(--line); }
.plot .middle { text-anchor: middle; }
.terms > div { display: grid; grid-template-columns: minmax(0, 16rem) minmax(0, 1fr); gap: 0 1rem; padding: .5rem 0;
  border-top: 1px solid var(--line); }
.terms > div:first-child { border-top: 0; }
.terms dt { color: var(--quiet); }
.terms dd { margin: 0; }
.terms progress { display: block; width: 100%; max-width: 16rem; height: .5rem; margin-top: .25rem; accent-color: var(--link); }
@media (max-width: 36rem) { .terms > div { grid-template-columns: 1fr; } }
fieldset.options { display: grid; gap: .75rem; }
fieldset.options legend { margin-bottom: .5rem; padding: 0; font-weight: 600; }
form.wide { max-width: none; }
form.wide > label { max-width: 24rem; }
.mark.bad { color: #fff; background: #a93226; }
label.check > input { flex: none; }
form:not(:has([value=s3]:checked, [value=aws]:checked)) .only-custom { display: none; }
fieldset.options .quiet { display: block; }
.graph { display: block; margin: .75rem 0; font-size: .875rem; fill: var(--text); }
.graph text { unicode-bidi: plaintext; }
.graph rect { fill: var(--back); stroke: var(--line); }
.graph .center { fill: var(--mark); stroke: var(--link); }
.graph .arrow { fill: none; stroke: var(--quiet); }
.graph marker path { fill: var(--quiet); }
.cite { display: grid; gap: 1.5rem; }
.cite > div { min-width: 0; }
.cite h3:first-child { margin-top: 0; }
.qr { width: 9rem; border-radius: .5rem; }
@media (min-width: 48rem) { .cite { grid-template-columns: minmax(0, 1fr) auto; } }
.folded > summary > h2 { display: inline-block; margin-bottom: .5rem; }
.choice { display: flex; flex-wrap: wrap; align-items: end; gap: .75rem; max-width: none; }
.choice select { width: auto; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem; }
.sides .quiet { display: block; }
.compare fieldset { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; margin: 0 0 .75rem; padding: 0; border: 0; }
.compare legend { position: absolute; clip-path: inset(50%); }
.compare label { display: flex; align-items: center; gap: .375rem; font-weight: 400; min-height: 1.5rem; }
.compare .slider { flex-basis: 100%; }
.compare:not(:has([value=overlay]:checked)) .slider { display: none; }
.slider input { flex: 1; max-width: 24rem; padding: 0; }
.stack { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; isolation: isolate; }
.stack a { display: block; background: #fff; border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; }
.stack a:only-child { grid-column: 1 / -1; }
.stack img { display: block; width: 100%; background: #fff; }
.stack a:only-child img { width: auto; max-width: 100%; max-height: 80vh; margin: 0 auto; }
.compare:has([value=overlay]:checked, [value=difference]:checked) .stack { grid-template-columns: 1fr; }
.compare:has([value=overlay]:checked, [value=difference]:checked) .stack a { grid-area: 1 / 1; align-self: start; }
.compare:has([value=overlay]:checked) .stack a + a { clip-path: inset(0 0 0 var(--border, 50%)); }
.compare:has([value=difference]:checked) .stack a + a { mix-blend-mode: difference; }
.hk { color: var(--keyword); }
.hs { color: var(--string); }
.hn, .hm { color: var(--number); }
.hf { color: var(--name); }
.hc { color: var(--quiet); }
ul { margin: 0; padding: 0; list-style: none; }
h1 + .rows { margin-top: 1rem; }
.rows li { display: flex; flex-wrap: wrap; gap: .125rem 1rem; align-items: baseline;
  padding: .5rem 0; border-top: 1px solid var(--line); }
.rows li:first-child { border-top: 0; }
.rows li > :is(a, span):first-child { flex: 1 1 12rem; min-width: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: 1rem; }
.cards a { display: block; text-decoration: none; }
.cards .caption { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden;
  line-height: 1.35; text-decoration: underline; }
.cards .quiet { display: block; margin-top: .125rem; line-height: 1.35; font-size: .85rem; }
.cards .quiet a { display: block; text-decoration: underline; }
.cards .frame { display: grid; place-items: center; aspect-ratio: 4 / 3; margin-bottom: .375rem;
  padding: .25rem; background: #fff; border: 1px solid var(--line); border-radius: .5rem;
  color: #566373; font-size: .85rem; overflow: hidden; }
.cards img { width: 100%; height: 100%; min-width: 0; min-height: 0; object-fit: contain; }
.comments > li { margin-top: 1rem; padding-top: .75rem; border-top: 1px solid var(--line); }
.comments > li:first-child { margin-top: 0; padding-top: 0; border-top: 0; }
.comments > [class] { margin-left: var(--indent); padding: 0 0 0 .75rem; border-top: 0;
  border-left: 2px solid var(--line); }
.comments > .answer-1 { --indent: .25rem; }
.comments > .answer-2 { --indent: 1.25rem; }
.comments > .answer-3 { --indent: 2.25rem; }
.comments p { margin: .375rem 0; }
.comments + .quiet { margin-top: 1.25rem; }
.people { max-height: 14rem; margin-top: -.75rem; overflow-y: auto; border: 1px solid var(--quiet); border-radius: .5rem; }
.people li { padding: .375rem .75rem; cursor: pointer; }
.people [aria-selected=true] { background: var(--mark); box-shadow: inset 3px 0 var(--link); }
.reactions { display: flex; flex-wrap: wrap; align-items: center; gap: .375rem; max-width: none; margin: .375rem 0; font-size: .9rem; }
.reactions :is(button, span, summary) { padding: .125rem .625rem; font-weight: 400; color: var(--text); background: none;
  border: 1px solid var(--line); border-radius: 1rem; }
.reactions button:hover { border-color: currentColor; }
.reactions [aria-pressed=true] { background: var(--mark); border-color: var(--link); }
.reactions summary { color: var(--quiet); list-style: none; }
.reactions summary::-webkit-details-marker { display: none; }
.reactions details[open] { display: flex; flex-wrap: wrap; gap: .375rem; }
.comments strong { color: var(--text); }
.written { overflow: clip; overflow-clip-margin: .25rem; }
.written :is(h3, h4, h5, h6) { margin: .75rem 0 .25rem; font-size: 1rem; }
.written :is(ul, ol) { margin: .375rem 0; padding-inline-start: 1.5rem; }
.written ul { list-style: disc; }
.written blockquote { margin: .5rem 0; padding-inline-start: .75rem; color: var(--quiet);
  border-inline-start: 3px solid var(--line); }
.written pre { margin: .5rem 0; }
.written hr { margin: .75rem 0; border: 0; border-top: 1px solid var(--line); }
.written .scroll { margin: .5rem 0; overflow-x: auto; }
.written table { width: max-content; border-collapse: collapse; font-size: .9rem; }
.written :is(th, td) { max-width: 16rem; padding: .25rem .625rem; border: 1px solid var(--line); text-align: start; }
.written th { background: var(--back); }
.written .left { text-align: left; }
.written .center { text-align: center; }
.written .right { text-align: right; }
a.picture { display: block; }
.story .slide { margin-top: 2rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.story .title .written > :first-child { font-size: 1.35rem; }
body:has(.deck) > :is(header, .notice, footer) { display: none; }
body:has(.deck) > main { max-width: none; margin: 0; padding: 0; border: 0; border-radius: 0; }
html:has(.deck) { scroll-snap-type: y mandatory; }
.deck .slide { display: flex; flex-direction: column; min-height: 100svh; padding: 3vh 5vw 1.5vh; scroll-snap-align: start;
  font-size: clamp(1rem, 2.2vmin + .4rem, 1.75rem); }
.deck .body { flex: 1; display: flex; flex-direction: column; justify-content: center; gap: 2vh; min-height: 0; }
.deck .title .body { text-align: center; }
.deck .title .written > :first-child { font-size: 2.25em; line-height: 1.2; }
.deck .written :is(h3, h4) { font-size: 1.5em; line-height: 1.25; }
.deck .picture { flex: 0 1 auto; margin: 0; padding: 1vmin; }
.deck .picture img { width: 100%; height: 60svh; max-height: none; object-fit: contain; }
.deck footer { display: flex; justify-content: space-between; gap: 1rem; font-size: .875rem; color: var(--quiet); }
.deck footer a { color: inherit; text-decoration: none; }
.deck footer nav { display: flex; gap: .75rem; white-space: nowrap; }
.deck footer nav a { padding: 0 .5rem; font-size: 1.25rem; line-height: 1; }
body:has(.guide) > :is(header, main, footer) { max-width: 70rem; }
.guide { display: grid; gap: 2rem; }
.guide > div { min-width: 0; }
.guide .written ol { padding-inline-start: 2rem; }
.guide article > h1 { margin-top: 0; }
.guide .written > section { margin-top: 2.5rem; padding-top: .5rem; border-top: 1px solid var(--line); }
.guide .written :is(h2, h3, h4) { margin: 2rem 0 .625rem; line-height: 1.3; }
.guide .written h2 { font-size: 1.25rem; }
.guide .written :is(h3, h4) { font-size: 1.05rem; }
.guide .written section > h2:first-child { margin-top: 1rem; font-size: 1.5rem; }
.guide .written :is(pre, .scroll, ul, ol) { margin: .875rem 0; }
.guide .written li { margin: .25rem 0; }
.guide .written table { width: auto; min-width: 60%; }
.guide .written :is(th, td) { max-width: none; padding: .375rem .75rem; vertical-align: top; }
.guide .written td:first-child { min-width: 8rem; }
.guide :is(p, li, td) code { padding: .05rem .25rem; border-radius: .25rem; background: var(--back); }
.guide .anchor { color: var(--quiet); text-decoration: none; opacity: 0; }
.guide :hover > .anchor, .guide .anchor:focus-visible { opacity: 1; }
.guide .screenshot { display: block; max-width: 100%; height: auto; margin: 1rem 0; border: 1px solid var(--line);
  border-radius: .5rem; }
.guide #contents { font-size: .9rem; }
.guide #contents li { margin: .25rem 0; }
.guide #contents ul ul { margin: .25rem 0 .5rem; padding-left: .75rem; border-left: 2px solid var(--line); }
.guide #contents a { color: var(--text); text-decoration: none; }
.guide #contents a:is(:hover, :focus-visible) { text-decoration: underline; }
.guide #contents [aria-current] { font-weight: 600; color: var(--link); }
.guide .to-contents { margin: 0 0 1rem; font-size: .9rem; }
.neighbors { display: flex; justify-content: space-between; gap: 1rem; margin-top: 2.5rem; padding-top: 1rem;
  border-top: 1px solid var(--line); }
.neighbors a { max-width: 48%; text-decoration: none; }
.neighbors a:last-child { text-align: right; }
.neighbors .quiet { display: block; }
@media (max-width: 60rem) { .guide #contents { padding-top: 1rem; border-top: 1px solid var(--line); } }
@media (min-width: 60rem) {
  .guide { grid-template-columns: minmax(0, 1fr) 14rem; gap: 3rem; }
  .guide .to-contents { display: none; }
  .guide .written td:first-child:has(code) { min-width: 15rem; }
  .guide #contents { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem);
    overflow-y: auto; } }
@media print {
  :root { color-scheme: only light; --back: #fff; --sheet: #fff; --text: #000; --quiet: #444; --line: #999; --link: #000;
    --mark: #fff; }
  body > :is(header, footer, .skip), .actions, .deck nav a, .neighbors, .to-contents, .guide > #contents { display: none; }
  .guide { display: block; }
  .invoice ~ *, .no-print { display: none; }
  .invoice .scroll { overflow: visible; }
  .invoice :is(tr, .parties > div) { break-inside: avoid; }
  @page { size: A4; margin: 18mm; }
  body { display: block; }
  body > main { border: 0; padding: 0; }
  a { color: inherit; }
  pre { max-height: none; white-space: pre-wrap; }
  .deck .slide { break-after: page; break-inside: avoid; min-height: 0; height: 95vh; }
  .deck .slide:last-child { break-after: auto; }
  .story .slide { break-inside: avoid; } }
`
