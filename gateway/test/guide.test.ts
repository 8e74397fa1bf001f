import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { SignInService } from '@figbase/proto/identity/sign-in'
import { loadGuide } from '../src/pages/guide/load.js'
import { anchorOf, renderGuide } from '../src/pages/guide/render.js'
import { attributeOf, documentOf, elementsIn, textOf } from './dom.js'
import { startEdge } from './start-edge.js'

const index = { name: '', text: '# Guide\n\n1. [One](one.md)\n' }
const one = (text: string) => [index, { name: 'one', text: `# One\n\n${text}` }]
const contentOf = async (text: string) =>
  String((await renderGuide(one(text))).pages[1]?.content ?? '')
const idsIn = (markup: string) =>
  elementsIn(documentOf(markup)).flatMap((element) => attributeOf(element, 'id') ?? [])

test('gives headings the anchors that GitHub gives them', async () => {
  assert.equal(anchorOf('What `x_y` is, & more'), 'what-x_y-is--more')
  const { pages, all } = await renderGuide(one('## First `part`\n'))
  assert.deepEqual(pages[1]?.sections, [{ id: 'first-part', title: 'First part', level: 2 }])
  assert.match(String(pages[1]?.content), /<h2 id="first-part">First <code>part<\/code>/)
  assert.match(String(all), /<h2 id="one">One<\/h2>\s*<h3 id="one--first-part">/)
})

test('turns links between files into links between pages', async () => {
  const text = '[a](README.md) [b](one.md#x) [c](#x) [d](https://tus.io)\n\n## x'
  const { pages, all } = await renderGuide(one(text))
  const hrefs = (markup: string) =>
    elementsIn(documentOf(markup)).flatMap((element) => attributeOf(element, 'href') ?? [])
  const elsewhere = 'https://tus.io'
  assert.deepEqual(hrefs(String(pages[1]?.content)).slice(0, 4), [
    '/docs/',
    '/docs/one#x',
    '/docs/one#x',
    elsewhere,
  ])
  assert.deepEqual(hrefs(String(all)).slice(0, 4), ['/docs/', '#one--x', '#one--x', elsewhere])
})

test('hides comments, and shows HTML as text', async () => {
  const content = await contentOf('<!-- not run: a reason -->\n```sh\nls <x>\n```\n<b>bold</b>')
  assert.doesNotMatch(content, /not run|<b>|<x>/)
  assert.match(content, /ls &lt;x&gt;/)
})

test('refuses links and pictures outside the guide, and a page without a title', async () => {
  await assert.rejects(contentOf('[x](../README.md)'), /links to \.\.\/README\.md/)
  await assert.rejects(contentOf('![x](https://example.org/x.png)'), /not in its folder/)
  await assert.rejects(renderGuide([{ name: 'one', text: 'text' }]), /has no title/)
})

test('has no id twice in the page of all pages', async () => {
  const ids = idsIn(String((await loadGuide()).all))
  assert.deepEqual(ids, [...new Set(ids)])
})

test('serves each page with a table of contents and its neighbors', async () => {
  await using edge = await startEdge(() => {})
  const { pages } = await loadGuide()
  for (const [at, { name, title, sections }] of pages.entries()) {
    const answer = await fetch(`${edge.url}/docs/${name}`)
    assert.equal(answer.status, 200, name)
    const elements = elementsIn(documentOf(await answer.text()))
    const hrefs = elements.flatMap((element) => attributeOf(element, 'href') ?? [])
    for (const page of pages) assert.ok(hrefs.includes(`/docs/${page.name}`), page.name)
    for (const { id } of sections) assert.ok(hrefs.includes(`#${id}`), `${name}#${id}`)
    const [h1] = elements.filter(({ tagName }) => tagName === 'h1')
    assert.equal(h1 && textOf(h1), title)
    const current = elements.find((element) => attributeOf(element, 'aria-current') === 'page')
    assert.equal(current && textOf(current), title)
    const previous = elements.filter((element) => attributeOf(element, 'class') === 'neighbors')
    const expected = [pages[at - 1], pages[at + 1]].filter((page) => page !== undefined).length
    const links = previous
      .flatMap((nav) => elementsIn(nav))
      .filter(({ tagName }) => tagName === 'a')
    assert.equal(links.length, expected, name)
  }
})

test('serves the pictures of the guide, and nothing else of its folder', async () => {
  await using edge = await startEdge(() => {})
  const picture = await fetch(`${edge.url}/docs/images/revision-page.png`)
  assert.equal(picture.headers.get('content-type'), 'image/png')
  assert.equal(
    (await picture.arrayBuffer()).byteLength,
    Number(picture.headers.get('content-length')),
  )
  for (const path of ['images/README.md', 'README.md', 'images/..%2f..%2fpackage.json']) {
    assert.equal((await fetch(`${edge.url}/docs/${path}`)).status, 404, path)
  }
})

test('users who are signed in read the guide while identity is unavailable', async () => {
  await using edge = await startEdge((router) => {
    router.service(SignInService, {
      authenticateSession: () => {
        throw new ConnectError('down', Code.Unavailable)
      },
    })
  })
  const get = (path: string) =>
    fetch(`${edge.url}${path}`, { headers: { cookie: 'figbase-session=x', accept: 'text/html' } })
  assert.equal((await get('/docs/')).status, 200)
  assert.equal((await get('/')).status, 503)
})
