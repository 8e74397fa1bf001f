/** The page in inches, 16:9 as slides of presentations are. */
export const page = { width: 13.333, height: 7.5, top: 0.45, bottom: 0.7, side: 0.6 }

/** What a slide can fill; a little less than the page, so that rounding never adds an empty page. */
const height = page.height - page.top - page.bottom - 0.02

const nameCharsMax = 120

/**
 * The look of the presentation in the browser, for paper. A slide begins a page and is at least as high; one with more
 * text goes on with the next page. Its picture gets the height that the text leaves, but never less than half.
 */
export const styleOf = (name: string) => `
@page { size: ${page.width}in ${page.height}in; margin: ${page.top}in ${page.side}in ${page.bottom}in;
  font: 10pt/1 ${fonts}; color: #566373;
  @bottom-left { content: "${cssText(name)}"; width: 85%; text-align: left; }
  @bottom-right { content: counter(page) " / " counter(pages); width: 15%; text-align: right; } }
@page title { @bottom-left { content: none } @bottom-right { content: none } }
* { box-sizing: border-box; }
body { margin: 0; font: 20pt/1.4 ${fonts}; color: #1c2530; overflow-wrap: anywhere; }
.slide { display: flex; flex-direction: column; justify-content: center; gap: .12in; min-height: ${height}in;
  break-before: page; }
.slide:first-child { break-before: auto; }
.title { page: title; text-align: center; }
.title .written > :first-child { font-size: 2.1em; line-height: 1.2; }
.long { font-size: 15pt; }
.longest { font-size: 12pt; justify-content: flex-start; }
.figure { font-size: 14pt; }
.figure.long { font-size: 12pt; }
.figure.longest { font-size: 11pt; }
.shown { flex: 1 0 auto; display: flex; flex-direction: column; gap: .12in; }
.beside .shown { flex-direction: row; gap: .4in; align-items: center; }
.picture { position: relative; flex: 1 0 ${height / 2}in; break-inside: avoid; }
.beside.longest .shown { align-items: flex-start; }
.beside .picture { flex: 0 0 auto; }
.beside .written { flex: 1 1 0; min-width: 0; }
.picture img { display: block; }
:not(.beside) > .shown img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; }
.empty { margin: 0; padding: .5in; border: 1pt dashed #a3afbd; border-radius: .08in; text-align: center;
  color: #566373; }
.origin { margin: 0; font-size: 9pt; line-height: 1.35; color: #566373; break-inside: avoid; }
a { color: #1d5a9e; text-decoration-thickness: .5pt; text-underline-offset: .15em; }
.written > :first-child { margin-top: 0; }
.written > :last-child { margin-bottom: 0; }
:is(h3, h4, h5, h6) { margin: .6em 0 .3em; line-height: 1.25; break-after: avoid; font-size: 1.1em; }
h3 { font-size: 1.5em; }
h4 { font-size: 1.25em; }
p { margin: .5em 0; orphans: 2; widows: 2; }
:is(ul, ol) { margin: .4em 0; padding-inline-start: 1.5em; }
.title :is(ul, ol) { display: inline-block; text-align: start; }
li { margin: .15em 0; }
blockquote { margin: .5em 0; padding-inline-start: .75em; color: #566373; border-inline-start: 2pt solid #d7dde5; }
code { font-family: ${monospaced}; font-size: .85em; }
pre { margin: .5em 0; padding: .6em .8em; text-align: start; white-space: pre-wrap; background: #f3f5f8;
  border: .75pt solid #d7dde5; border-radius: .06in; line-height: 1.35; font-size: .85em; tab-size: 4; }
hr { margin: .7em 0; border: 0; border-top: .75pt solid #d7dde5; }
table { border-collapse: collapse; max-width: 100%; font-size: .85em; }
.title table { margin: 0 auto; }
tr { break-inside: avoid; }
:is(th, td) { padding: .2em .6em; border: .75pt solid #d7dde5; text-align: start; }
th { background: #f3f5f8; }
.left { text-align: left; }
.center { text-align: center; }
.right { text-align: right; }
`

/** Always the same order, so that a page looks the same on machines with the same fonts. */
const fonts = '"Noto Sans", "Liberation Sans", "DejaVu Sans", sans-serif'
const monospaced = '"Noto Sans Mono", "Liberation Mono", "DejaVu Sans Mono", monospace'

/** Text in a string of CSS: everything but letters and digits is written by its number. */
function cssText(text: string): string {
  const chars = [...text.replaceAll(/[\s\p{C}]+/gu, ' ').trim()]
  const shown = chars.length > nameCharsMax ? [...chars.slice(0, nameCharsMax), '…'] : chars
  return shown
    .map((char) => (/[\p{L}\p{N}]/u.test(char) ? char : `\\${char.codePointAt(0)?.toString(16)} `))
    .join('')
}
