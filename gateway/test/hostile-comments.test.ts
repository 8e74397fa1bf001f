import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBatches, newComment, readPage, startWith } from './comments-page.js'
import { attributeOf, type Document, type Element, elementsIn, nodesIn, textOf } from './dom.js'

/** The allowed elements in a comment, with their allowed attributes. */
const allowed: Record<string, Record<string, RegExp>> = {
  ...Object.fromEntries(
    'p br strong em s code ul li blockquote hr h3 h4 h5 h6 table thead tbody tr'
      .split(' ')
      .map((name) => [name, {}]),
  ),
  a: { href: /^(https?:\/\/|mailto:)[\x21-\x7e]*$/i, rel: /^nofollow ugc noopener noreferrer$/ },
  ol: { start: /^\d{1,9}$/ },
  th: { class: /^(left|center|right)$/ },
  td: { class: /^(left|center|right)$/ },
  pre: { tabindex: /^0$/, role: /^region$/, 'aria-label': /^Code$/ },
  div: { class: /^scroll$/, tabindex: /^0$/, role: /^region$/, 'aria-label': /^Table$/ },
}

/** The maximum size of a comment that is rendered as Markdown. */
const bytesMax = 16 * 1024
const filled = (unit: string) => unit.repeat(Math.floor(bytesMax / Buffer.byteLength(unit)))

const scripts = [
  '<script>alert(1)</script>',
  '<ScRiPt\n>alert(1)</sCrIpT>',
  '<<script>script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)><animate onbegin=alert(1)></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
  '<object data="javascript:alert(1)"></object><embed src=x>',
  '<form action="https://evil.example"><input name=password><button>go</button></form>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<link rel=stylesheet href="https://evil.example/a.css">',
  '<style>body { display: none }</style>',
  '<p style="position:fixed;inset:0" onclick=alert(1) id=x name=y class=problem>',
  '</p></div></li></ul></section></article></main></body></html><script>alert(1)</script>',
  '</main><h1>Not the title</h1><main>',
  '<!-- comment --><!--><script>alert(1)</script>-->',
  '<!doctype html><html><head><title>x</title>',
  '<![CDATA[<script>alert(1)</script>]]> <?php echo 1 ?>',
  '<plaintext><textarea><title><noscript><template><xmp>',
  '<details open ontoggle=alert(1)><summary>x',
  '<a href="javascript:alert(1)" target=_blank>x</a>',
  '<x-element contenteditable autofocus onfocus=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x onerror=alert(1)&#62; &#x3c;svg onload=alert(1)&#x3e;',
  '`</code><script>alert(1)</script>`',
  '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
  '~~~ " onmouseover="alert(1)\n</pre>\n~~~',
  '    </code></pre><img src=x onerror=alert(1)>',
  '# <img src=x onerror=alert(1)>\n\n<b>\n===\n\n####### <i>',
  'a | <img src=x onerror=alert(1)>\n-|:-:" style="x\n<script> | </table>\n\na | b\n:-: | -:\n</td> | <td>',
  '- <script>\n  1. </ul></ol><img onerror=alert(1) src=x>\n\n999999999. <svg onload=alert(1)>',
  '> </blockquote><script>alert(1)</script>',
  '@<script>alert(1)</script> @ada"><img src=x onerror=alert(1)>',
]

const addresses = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  '\u00a0javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java&Tab;script:alert(1)',
  'java&NewLine;script:alert(1)',
  'javascript&colon;alert(1)',
  '&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)',
  '&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;alert(1)',
  '&#x6A;avascript:alert(1)',
  'javascript\\:alert(1)',
  '\\javascript:alert(1)',
  'javascript%3Aalert(1)',
  '%6Aavascript:alert(1)',
  'javascript://example.org/%0aalert(1)',
  'javascript:alert(1)//http://example.org',
  'vbscript:msgbox(1)',
  'VBSCRIPT&#58;msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'data:image/png;base64,iVBORw0KGgo=',
  'file:///etc/passwd',
  'blob:https://example.org/x',
  'view-source:https://example.org',
  'intent://x#Intent;scheme=https;end',
  'ftp://example.org/x',
  'feed:javascript:alert(1)',
  '//evil.example/x',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https:/evil.example',
  'http:\\\\evil.example',
  '/sign-in/',
  '?next=x',
  '#top',
  'x',
]
/** Every syntax for links and images. */
const linking = (address: string) => [
  `[x](${address})`,
  `[x](<${address}>)`,
  `[x](${address} "title")`,
  `![x](${address})`,
  `![x](<${address}>)`,
  `[![x](${address})](${address})`,
  `<${address}>`,
  `[x]\n\n[x]: ${address}`,
  `[x]\n\n[x]: <${address}> "title"`,
  `![x]\n\n[x]: ${address}`,
  address,
]

const links = [
  '[x](https://example.org/"onmouseover="alert(1))',
  "[x](https://example.org/'onmouseover='alert(1))",
  '[x](<https://example.org/"><script>alert(1)</script>>)',
  '[x](https://example.org "\\"><script>alert(1)</script>")',
  '[x](https://example.org \'" onclick="alert(1)\')',
  '![" onerror="alert(1)](https://example.org/x.png)',
  '![<img src=x onerror=alert(1)>](https://example.org/x.png "\\" onload=\\"alert(1)")',
  '[![<b>](https://example.org/x.png)](https://example.org)',
  '[a [b](https://example.org/b) c](https://example.org/a)',
  '<https://example.org/?"><script>alert(1)</script>>',
  'https://example.org/"onclick="alert(1) http://example.org/<script>alert(1)</script>',
  'mailto:a@example.org?subject="><script>alert(1)</script> <a@example.org>',
  'https://user:secret@example.org:99999/%zz%00\u202e\ud83d\ude00 https://xn--0.example https://ä.example',
  'http:// https:// mailto: https://[::1] https://\u0000',
  '[](https://example.org) ![](https://example.org) []() [ ]( ) ![]()',
]

const letters = [
  '\0<\0script\0>alert(1)</script>\0 [x](java\0script:alert(1)) `\0`',
  '\u202e\u2066\u2067\u2068\u200f<script>alert(1)</script>\u202d [\u202eevil](https://example.org/\u202e)',
  `Z${'\u0301\u0489\u20dd'.repeat(500)}algo`,
  'long'.repeat(4000),
  '\u{1f469}\u200d\u{1f52c}\ufe0f\u{e0001}\ufeff\ufffe\uffff\u2028\u2029\u0085\u000b\u000c\u001b[31m\u007f',
  '&#0; &#xD800; &#x10FFFF; &#x110000; &#x202e; &nbsp;&lt;&zwj; &ThisIsNone;',
  '\ud800 \udfff lone',
  '＜script＞alert(1)＜/script＞ \u2039script\u203a',
]

const large = {
  'brackets that open': filled('['),
  'brackets that close': '['.repeat(bytesMax / 2) + ']'.repeat(bytesMax / 2),
  'pictures that open': filled('!['),
  'links that open': filled('[a](<b'),
  'emphasis that opens': filled('*a_ '),
  'emphasis that nests': `${'*_'.repeat(bytesMax / 4)}a${'_*'.repeat(bytesMax / 4)}`,
  'code that opens': Array.from({ length: 350 }, (_, i) => '`'.repeat(i)).join(' '),
  quotes: filled('> '),
  'quotes of quotes': filled(`${'>'.repeat(20)}\n\n`),
  lists: filled('* a\n'),
  'lists in lists': filled('- - - - - - - - - a\n'),
  'lists further in': Array.from({ length: 350 }, (_, i) => `${' '.repeat(i)}- a`).join('\n'),
  'lazy lines': `${'> '.repeat(18)}${filled('a\n')}`,
  headings: filled('# a\n'),
  tables: filled('a|b\n-|-\n\n'),
  'tables of empty cells': filled(
    `${'a|'.repeat(180)}\n${'-|'.repeat(180)}\n${'a\n'.repeat(362)}\n`,
  ),
  'tables of one row': `${'a|'.repeat(bytesMax / 4)}\n${'-|'.repeat(bytesMax / 4)}\n`,
  'links of many uses': `[a]: https://example.org/${'b'.repeat(2000)}\n\n${filled('[a]')}`,
  addresses: filled('http://a '),
  'mail addresses': filled('<a@b.c>'),
  entities: filled('&amp;'),
  quotation: filled('"'),
  tags: filled('<a b="'),
  comments: filled('<!--'),
}

/** A page with the given comments, and a last one that must not be affected by the others. */
async function shown(contents: string[], name?: string) {
  const env = { PAGE_ITEMS_MAX: '1000', PAGE_COMMENT_BYTES_MAX: '1MiB' }
  const comments = [...contents, 'the last one'].map((content) => newComment(content))
  await using edge = await startWith(() => inBatches(comments), { env, ...(name && { name }) })
  const page = await readPage(edge)
  assert.equal(page.items.length, comments.length)
  assert.match(textOf(page.items.at(-1) as Element), /the last one\n*(React[^a-z]*Answer)?$/)
  assert.deepEqual(forbiddenInPage(page.document), [])
  return page
}

/** The elements that each page has exactly once. */
function forbiddenInPage(document: Document) {
  const tags = elementsIn(document).map(({ tagName }) => tagName)
  const once = ['html', 'head', 'title', 'style', 'body', 'main', 'article', 'section', 'h1']
  return once.filter((tag) => tags.filter((one) => one === tag).length !== 1)
}

/** The elements that are not allowed in a comment. */
function forbiddenIn(item: Element) {
  const [written] = elementsIn(item).filter((one) => attributeOf(one, 'class') === 'written')
  if (!written) return ['nothing is shown']
  return [...nodesIn(written)].flatMap((node) => {
    if (!('tagName' in node)) return node.nodeName === '#text' ? [] : [node.nodeName]
    const attributes = Object.hasOwn(allowed, node.tagName) ? allowed[node.tagName] : undefined
    if (!attributes) return [`<${node.tagName}>`]
    return node.attrs
      .filter(({ name, value }) => !attributes[name]?.test(value))
      .map(({ name, value }) => `<${node.tagName} ${name}="${value}">`)
  })
}

for (const [what, contents] of Object.entries({
  'markup and scripts': scripts,
  'dangerous addresses': addresses.flatMap(linking),
  'links with more than an address': links,
  'unusual characters': letters,
})) {
  test(`comments with ${what} contain only text and links`, async () => {
    const { items, markup } = await shown(contents)
    for (const [i, content] of contents.entries()) {
      assert.deepEqual(forbiddenIn(items[i] as Element), [], content)
    }
    assert.doesNotMatch(markup, /\0/)
  })
}

for (const [what, content] of Object.entries(large)) {
  test(`renders excessive ${what} quickly and in limited size`, async () => {
    const before = process.cpuUsage()
    const { items, markup } = await shown([content.slice(0, bytesMax)])
    const { user, system } = process.cpuUsage(before)
    assert.deepEqual(forbiddenIn(items[0] as Element), [])
    assert.ok(markup.length < 30 * bytesMax, `${markup.length} characters`)
    assert.ok(user + system < 5_000_000, `${(user + system) / 1e6} s`)
  })
}

test('shows comments that are too long for Markdown as plain text', async () => {
  const content = `<b>*x*</b> ${'['.repeat(64 * 1024 - 12)}\n`
  const { items } = await shown([content])
  const [written] = elementsIn(items[0] as Element)
    .filter(({ tagName }) => tagName === 'p')
    .slice(1)
  assert.equal(textOf(written as Element), content)
  assert.equal(elementsIn(written as Element).length, 0)
})

test('escapes the name of the commented object', async () => {
  const name = '</main><script>alert(1)</script>"\u202e<img src=x onerror=alert(1)>'
  const { document } = await shown(['x'], name)
  const [title] = elementsIn(document).filter(({ tagName }) => tagName === 'h1')
  assert.equal(textOf(title as Element), name)
})
