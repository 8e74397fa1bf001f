import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Browser, BrowserPage } from '@figbase/kit/testing'
import { png } from '../src/images.js'
import { at, expectProtected, formTokenIn, ownOrigin, signInAt } from '../src/pages.js'
import { newPlace, processed } from '../src/publish.js'
import type { Analysis } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let browser: Browser
let path: string
let analysis: string

before(async () => {
  alice = await signUp()
  const place = await newPlace(alice.api)
  const { figure } = place
  analysis = place.analysis.api_id
  path = `/figure/${figure.api_id}/publish/`
  browser = (await signInAt('/account/', alice)).browser
})

type Chosen = { name: string; bytes: Uint8Array }
type Files = Record<string, Chosen | Chosen[]>

async function publish(form: BrowserPage, files: Files, who = browser, description = '') {
  const body = new FormData()
  body.set('form_token', formTokenIn(form))
  body.set('description', description)
  for (const input of ['picture', 'code', 'data']) {
    // A browser sends an empty file for an input without a file.
    const chosen = [files[input] ?? { name: '', bytes: new Uint8Array() }].flat()
    for (const { name, bytes } of chosen) {
      body.append(input, new Blob([bytes as Uint8Array<ArrayBuffer>]), name)
    }
  }
  return who.send(at(path), { method: 'POST', body, headers: ownOrigin })
}

const code = { name: 'plot.py', bytes: Buffer.from('print(1)\n') }

test('a revision is published from files of the browser', async () => {
  const form = await browser.visit(at(path))
  assert.ok((await browser.visit(at(path.replace('publish/', '')))).text.includes(`href="${path}"`))
  const picture = { name: 'figure <1>.png', bytes: png(60, 40) }
  const data = ['a.csv', 'b.csv'].map((name) => ({ name, bytes: Buffer.from(`x\n${name}\n`) }))
  const sent = await publish(form, { picture, code, data }, browser, 'Warm\r\nand wet')
  assert.equal(sent.status, 303, sent.text)
  const [, id = ''] = /^\/r\/(.+)$/.exec(sent.headers.get('location') ?? '') ?? []
  const revision = await processed(alice.api, id)
  assert.equal(revision.description, 'Warm\nand wet')
  assert.deepEqual(
    revision.data?.map(({ name, type, size_bytes }) => [name, type, size_bytes]),
    [
      ['figure <1>.png', 'image', picture.bytes.length],
      ['plot.py', 'code', code.bytes.length],
      ['a.csv', 'file', 8],
      ['b.csv', 'file', 8],
    ],
  )
  const page = await browser.visit(at(`/r/${id}`))
  assert.match(page.text, /print/)
  assert.match(page.text, /plot\.py/)
  assert.doesNotMatch(page.text, /<1>/)
})

test('nothing is published without a file, or with too much', async () => {
  const form = await browser.visit(at(path))
  const empty = await publish(form, {}, browser, 'typed')
  assert.equal(empty.status, 400)
  assert.match(empty.text, /role="alert">Choose at least one file/)
  assert.match(empty.text, /typed<\/textarea>/)
  const data = { name: 'large.bin', bytes: Buffer.alloc(10 * 2 ** 20) }
  assert.equal((await publish(form, { data })).status, 413)
  const broken = await browser.send(at(path), {
    method: 'POST',
    body: 'no form',
    headers: { ...ownOrigin, 'content-type': 'multipart/form-data; boundary=x' },
  })
  assert.equal(broken.status, 400)
})

test('only who may publish does, and only from a page of the session', async () => {
  const page = await browser.visit(at(path))
  await expectProtected({ browser, page }, path)
  const mallory = await signInAt('/account/', await signUp())
  const refused = await publish(mallory.page, { code }, mallory.browser)
  assert.equal(refused.status, 403)
  assert.equal((await mallory.browser.visit(at(path))).status, 403)
})

/** Publishes texts by their names as figures of the analysis. */
async function publishMany(files: Record<string, string>, who = browser) {
  const address = at(`/analysis/${analysis}/publish/`)
  const body = new FormData()
  body.set('form_token', formTokenIn(await who.visit(address)))
  if (Object.keys(files).length === 0) body.append('file', new Blob([]), '')
  for (const [name, text] of Object.entries(files)) body.append('file', new Blob([text]), name)
  return who.send(address, { method: 'POST', body, headers: ownOrigin })
}

async function figuresOf(id: string) {
  const { body } = await alice.api.get<Analysis>(`analysis/${id}/`)
  return body.figures ?? []
}

test('files alike up to the first dot are one figure of the analysis', async () => {
  const first = await publishMany({ 'means.py': 'print(1)', 'README.md': 'Read me' })
  assert.equal(first.status, 200, first.text)
  assert.match(first.text, /role="status">One figure is published:/)
  assert.match(first.text, /has this name: README\.md</)
  const sent = await publishMany({
    'means.py': 'print(2)',
    'means.csv': 'x\n1\n',
    'means.txt': 'Warm & wet',
    'b<i>.py': 'print(3)',
  })
  const links = [...sent.text.matchAll(/<a href="\/r\/([^/"]+)\/"><bdi>([^<]+)<\/bdi>/g)].map(
    ([, id = '', name]) => ({ id, name }),
  )
  assert.deepEqual(
    links.map(({ name }) => name),
    ['b&lt;i&gt;', 'means'],
  )
  const figures = (await figuresOf(analysis)).filter(({ name }) => name === 'means')
  assert.equal(figures.length, 1)
  const revision = await processed(alice.api, links[1]?.id ?? '')
  assert.equal(revision.description, 'Warm & wet')
  assert.deepEqual(
    revision.data?.map(({ name, type }) => [name, type]),
    [
      ['means.py', 'code'],
      ['means.csv', 'file'],
    ],
  )
})

test('each figure is published or refused for itself', async () => {
  const sent = await publishMany({
    'good.py': 'print(1)',
    'bad.py': 'print(2)',
    'bad.txt': 'x'.repeat(2 ** 20),
    [`${'n'.repeat(501)}.py`]: 'print(3)',
  })
  assert.equal(sent.status, 200, sent.text)
  assert.match(sent.text, /role="alert"><p>2 figures are not published:/)
  assert.match(sent.text, /<strong><bdi>bad<\/bdi><\/strong>: [^<]/)
  assert.match(sent.text, /<a href="\/r\/[^"]+"><bdi>good<\/bdi>/)
  const names = (await figuresOf(analysis)).map(({ name }) => name)
  assert.ok(names.includes('good') && !names.includes('n'.repeat(501)))
  const refused = await publishMany({ 'bad.py': 'print(2)', 'bad.txt': 'x'.repeat(2 ** 20) })
  assert.equal(refused.status, 400)
})

test('nothing is published without figures, with too many, or by others', async () => {
  const before = await figuresOf(analysis)
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}.py`, 'print(1)']))
  for (const [files, problem] of [
    [{}, /role="alert">Choose at least one file/],
    [{ 'README.md': 'Read me' }, /role="alert">Choose at least one file/],
    [many, /role="alert">These files are of too many figures/],
  ] as [Record<string, string>, RegExp][]) {
    const refused = await publishMany(files)
    assert.equal(refused.status, 400)
    assert.match(refused.text, problem)
  }
  const address = `/analysis/${analysis}/publish/`
  await expectProtected({ browser, page: await browser.visit(at(address)) }, address)
  const viewer = await signUp()
  const member = { username: viewer.username, membership_type: 'viewer' }
  const { body } = await alice.api.get<Analysis>(`analysis/${analysis}/`)
  await alice.api.post(`workspace/${body.workspace}/members/add/`, member, 200)
  const { browser: other } = await signInAt('/account/', viewer)
  assert.equal((await publishMany({ 'f.py': 'print(1)' }, other)).status, 403)
  assert.deepEqual(await figuresOf(analysis), before)
})
