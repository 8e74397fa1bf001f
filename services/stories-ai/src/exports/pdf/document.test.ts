import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { type DocumentSlide, documentOf, lengthOf, type Origin } from './document.js'

const hostile = `<script>alert(1)</script> <iframe src="file:///etc/passwd"></iframe>
<img src=http://127.0.0.1:1/x onerror=alert(1)> ![p](http://127.0.0.1:1/y.png) [a](javascript:alert(1))
[b](file:///etc/passwd) <style>@import url(http://127.0.0.1:1/z);</style> <svg onload=alert(1)>`

const origin: Origin = {
  name: 'Net <b>"x"</b>',
  revisionIndex: 2,
  revisionId: 'id-1',
  link: 'https://figbase.example/r/id-1',
  codeNames: ['plot.py'],
  assetIds: [],
}
const slide = (content: string, more: Partial<DocumentSlide> = {}): DocumentSlide => ({
  type: 'custom',
  content,
  absence: undefined,
  origin: undefined,
  picture: undefined,
  ...more,
})
const styleIn = (html: string) => /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''
const picture = (aspect: number) => ({ path: '/pictures/1', aspect })

test('a document has no markup of its authors, and loads only its pictures', async () => {
  const name = '</style></title><script>1</script>"; } @import "http://127.0.0.1:1"; \\'
  const slides = [slide(hostile, { origin: { ...origin, name }, picture: picture(2) })]
  const { html } = await documentOf(name, slides)
  const elements = new Set([...html.matchAll(/<([a-z]\w*)/g)].map(([, element = '']) => element))
  const expected = 'html head meta title style body section div img p br a bdi'.split(' ')
  assert.deepEqual(
    [...elements].filter((element) => !expected.includes(element)),
    [],
  )
  assert.deepEqual(html.match(/ src="[^"]*"/g), [' src="/pictures/1"'])
  assert.ok(!/href="(?!https?:|mailto:)/.test(html))
  assert.equal(html.split('</style>').length, 2)
  assert.ok(!/@import|url\(/.test(styleIn(html)))
})

test('the policy permits the style of the document, its pictures and nothing else', async () => {
  const { html, policy } = await documentOf('A', [slide('x')])
  const hash = createHash('sha256').update(styleIn(html)).digest('base64')
  assert.equal(
    policy,
    `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; base-uri 'none'; form-action 'none'`,
  )
})

test('a page tells the origin of its figure, and shortens long lists', async () => {
  const assetIds = Array.from({ length: 10 }, (_, i) => `asset-${i}`)
  const { html } = await documentOf('A', [slide('', { origin: { ...origin, assetIds } })])
  assert.ok(html.includes('<a href="https://figbase.example/r/id-1">'))
  assert.ok(html.includes('Net &lt;b&gt;&quot;x&quot;&lt;/b&gt;, revision 3</a> (id-1)'))
  assert.ok(html.includes('Code: plot.py') && html.includes('asset-5 and 4 more'))
  assert.ok(!html.includes('asset-6'))
})

test('a slide without its figure says why', async () => {
  const { html } = await documentOf('A', [slide('Text.', { absence: 'You may not view it.' })])
  assert.ok(html.includes('<p class="empty">You may not view it.</p>'))
  assert.ok(!html.includes('<img') && !html.includes('Source:'))
})

test('text stands beside a high picture, and below a wide one', async () => {
  const classOf = async (aspect: number, content: string) => {
    const shown = slide(content, { picture: picture(aspect) })
    return / class="slide ([^"]*)"/.exec((await documentOf('A', [shown])).html)?.[1]
  }
  assert.equal(await classOf(0.7, 'x'), 'custom beside')
  assert.equal(await classOf(1.6, 'x'), 'custom')
  assert.equal(await classOf(0.7, ''), 'custom')
})

test('a longer text gets a smaller font', () => {
  assert.equal(lengthOf('A few words.'), '')
  assert.equal(lengthOf('word '.repeat(250)), 'long')
  assert.equal(lengthOf('a\n'.repeat(18)), 'long')
  assert.equal(lengthOf('a\n'.repeat(18), true), 'long')
  assert.equal(lengthOf('word '.repeat(1000)), 'longest')
})

test('a story without slides has a page with its name', async () => {
  const { html } = await documentOf('A <i>', [])
  assert.equal(html.split('<section').length, 2)
  assert.ok(html.includes('A &lt;i&gt;</h3>'))
})
