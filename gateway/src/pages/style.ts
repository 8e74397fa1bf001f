/** The style of all pages. Pictures keep a white background, also in dark mode: most figures are drawn for paper. */
export const style = `
:root { color-scheme: light dark; --text: #1c2530; --quiet: #566373; --back: #f3f5f8; --sheet: #fff;
  --line: #d7dde5; --link: #1d5a9e; --mark: #e4edf8; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e3e8ee; --quiet: #a3afbd; --back: #11161c; --sheet: #1a2129; --line: #343e4a;
    --link: #82b7f2; --mark: #24364b; } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; color: var(--text); background: var(--back);
  overflow-wrap: anywhere; }
body > header { display: flex; justify-content: space-between; gap: 1rem; max-width: 58rem; margin: 0 auto;
  padding: 1rem 1.25rem .5rem; font-weight: 600; color: var(--quiet); }
body > header nav { display: flex; gap: 1.25rem; min-width: 0; }
body > header a { min-width: 0; color: inherit; }
body > .notice { max-width: 58rem; margin: .5rem auto 1rem; padding: .75rem 1.25rem; white-space: pre-line;
  background: var(--mark); border-left: .25rem solid var(--link); }
main { max-width: 58rem; margin: 0 auto 3rem; padding: 1.5rem 1.25rem 2rem; background: var(--sheet);
  border: 1px solid var(--line); border-width: 1px 0; }
@media (min-width: 60rem) {
  main { border-width: 1px; border-radius: .75rem; padding: 2rem 2.5rem 2.5rem; } }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2.25rem 0 .75rem; font-size: 1.15rem; }
h3 { margin: 1.25rem 0 .375rem; font-size: 1rem; }
p { margin: .625rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, pre:focus-visible, .scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
form { display: grid; gap: 1rem; max-width: 24rem; margin: 1.5rem 0; }
label { display: grid; gap: .25rem; font-weight: 600; }
input, button { font: inherit; border-radius: .5rem; padding: .5rem .75rem; }
input { color: inherit; background: var(--back); border: 1px solid var(--line); }
button, .button { justify-self: start; border: 0; font-weight: 600; color: #fff; background: #1d5a9e; cursor: pointer; }
.button { display: inline-block; padding: .5rem .75rem; border-radius: .5rem; text-decoration: none; }
input:focus-visible, button:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.problem { padding: .5rem .75rem; border-left: 3px solid #c0392b; background: var(--back); }
.kind, .quiet { color: var(--quiet); }
.kind { margin: 0 0 .25rem; font-size: .9rem; }
.quiet { font-size: .9rem; }
.words { white-space: pre-line; }
.mark { display: inline-block; padding: .05rem .55rem; border-radius: 1rem; background: var(--mark);
  font-size: .85rem; }
.picture { margin: 1.5rem 0; padding: .5rem; background: #fff; border: 1px solid var(--line);
  border-radius: .5rem; text-align: center; }
.picture img { display: block; max-width: 100%; max-height: 80vh; margin: 0 auto; }
.empty { margin: 1.5rem 0; padding: 2rem 1rem; border: 1px dashed var(--line); border-radius: .5rem;
  text-align: center; color: var(--quiet); }
pre { margin: 0; padding: .875rem 1rem; max-height: 28rem; overflow: auto; background: var(--back);
  border: 1px solid var(--line); border-radius: .5rem; font: .8125rem/1.5 ui-monospace, monospace;
  tab-size: 4; }
code { font: .875em ui-monospace, monospace; }
pre code { font: inherit; }
ul { margin: 0; padding: 0; list-style: none; }
.rows li { display: flex; flex-wrap: wrap; gap: .125rem 1rem; align-items: baseline;
  padding: .5rem 0; border-top: 1px solid var(--line); }
.rows li:first-child { border-top: 0; }
.rows a { flex: 1 1 12rem; min-width: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: 1rem; }
.cards a { display: block; text-decoration: none; }
.cards .caption { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden;
  line-height: 1.35; text-decoration: underline; }
.cards .quiet { display: block; margin-top: .125rem; line-height: 1.35; font-size: .85rem; }
.cards .frame { display: grid; place-items: center; aspect-ratio: 4 / 3; margin-bottom: .375rem;
  padding: .25rem; background: #fff; border: 1px solid var(--line); border-radius: .5rem;
  color: #566373; font-size: .85rem; overflow: hidden; }
.cards img { max-width: 100%; max-height: 100%; min-width: 0; min-height: 0; object-fit: contain; }
.comments > li { margin-top: 1rem; padding-top: .75rem; border-top: 1px solid var(--line); }
.comments > li:first-child { margin-top: 0; padding-top: 0; border-top: 0; }
.comments > [class] { margin-left: var(--indent); padding: 0 0 0 .75rem; border-top: 0;
  border-left: 2px solid var(--line); }
.comments > .answer-1 { --indent: .25rem; }
.comments > .answer-2 { --indent: 1.25rem; }
.comments > .answer-3 { --indent: 2.25rem; }
.comments p { margin: .375rem 0; }
.comments + .quiet { margin-top: 1.25rem; }
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
body:has(.deck) > :is(header, .notice) { display: none; }
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
@media print {
  :root { --back: #fff; --sheet: #fff; --text: #000; --quiet: #444; }
  body > header, .actions, .deck nav a { display: none; }
  .deck .slide { break-after: page; break-inside: avoid; min-height: 0; height: 95vh; }
  .deck .slide:last-child { break-after: auto; }
  .story .slide { break-inside: avoid; } }
body:has(.guide) > :is(header, main) { max-width: 70rem; }
.guide { display: grid; gap: 2rem; }
.guide article { min-width: 0; }
.guide .written ol { padding-inline-start: 2rem; }
.guide article > :first-child + h1 { margin-top: 0; }
.guide section { margin-top: 2.5rem; padding-top: .5rem; border-top: 1px solid var(--line); }
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
`
