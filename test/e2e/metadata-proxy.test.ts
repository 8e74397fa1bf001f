import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openBrowser, withoutBrowser } from '@figbase/kit/testing/chromium'
import { callerWith, newApiKey } from '../src/api-keys.js'
import { client, messageOf, type Refusal } from '../src/client.js'
import { deployment, LATEST, VERSIONS } from '../src/deployment.js'
import { type MetadataProxy, newMetadataProxy, pathOf } from '../src/metadata-proxies.js'
import { newWorkspace } from '../src/publish.js'
import { signUp, type TestUser } from '../src/users.js'

const dayMs = 86_400_000
const shown = { url: 'https://notebooks.example.org/a.ipynb?x=1#top', active_tab_title: 'a ü' }
const anybody = client()

let alice: TestUser
let bob: TestUser
before(async () => {
  ;[alice, bob] = [await signUp(), await signUp()]
})

const opened = async (body: object = {}, me = alice.api) =>
  (await me.post<MetadataProxy>('metadata/', body)).body

for (const version of VERSIONS) {
  test(`${version}: a notebook page sends metadata to its kernel through a proxy`, async () => {
    const kernel = alice.at(version)
    const made = await opened({}, kernel)
    const { token, ...rest } = made
    assert.match(token, /^[\w-]{43}$/)
    assert.deepEqual(rest, {
      api_id: made.api_id,
      initiator: alice.username,
      created: made.created,
      expiry: made.expiry,
      updated: null,
      metadata: null,
    })
    const path = pathOf(made)
    assert.deepEqual((await kernel.get(path)).body, made)

    const answer = await client(version).post(path, { metadata: shown }, 200)
    assert.equal(answer.text, 'null')
    const { body } = await kernel.get<MetadataProxy>(path)
    assert.deepEqual(body, { ...made, updated: body.updated, metadata: shown })
    assert.ok(Math.abs(Date.parse(body.updated ?? '') - Date.now()) < 60_000)

    const own = (await kernel.post<MetadataProxy>(path, { metadata: [1] }, 200)).body
    assert.deepEqual(own, { ...body, updated: own.updated, metadata: [1] })
    assert.ok((own.updated ?? '') > (body.updated ?? ''))

    await kernel.delete(path)
    await kernel.get(path, 404)
    await kernel.delete(path, 404)
    await client(version).post(path, { metadata: shown }, 404)
  })
}

test('only the creator can read and delete a proxy; anybody can post, also anonymously', async () => {
  const path = await newMetadataProxy(alice.api)
  await bob.api.get(path, 403)
  await anybody.get(path, 403)
  await bob.api.delete(path, 403)
  await anybody.delete(path, 401)
  await anybody.post('metadata/', {}, 401)
  const key = callerWith(await newApiKey(bob.api))
  for (const other of [bob.api, key, anybody]) {
    assert.equal((await other.post(path, { metadata: 'from another' }, 200)).text, 'null')
  }
  assert.equal((await alice.api.get<MetadataProxy>(path)).body.metadata, 'from another')
})

test('a key can create proxies for its owner, also if it is limited to a workspace', async () => {
  const { api_id: workspace } = await newWorkspace(alice.api)
  for (const more of [{}, { workspace }]) {
    const kernel = callerWith(await newApiKey(alice.api, more))
    const path = await newMetadataProxy(kernel)
    await anybody.post(path, { metadata: shown }, 200)
    assert.deepEqual((await kernel.get<MetadataProxy>(path)).body.metadata, shown)
    await kernel.delete(path)
  }
})

test('the expiry is at most a day away, whatever is requested', async () => {
  const lifeOf = ({ created, expiry }: MetadataProxy) => Date.parse(expiry) - Date.parse(created)
  const later = new Date(Date.now() + 7 * dayMs).toISOString()
  const longest = lifeOf(await opened())
  assert.ok(longest > 0 && longest < dayMs)
  for (const body of [{ expiry: null }, { expiry: later }, { expiry: '9999-12-31 23:59:59' }]) {
    assert.equal(lifeOf(await opened(body)), longest)
  }
  const inAnHour = new Date(Date.now() + dayMs / 24)
  const naive = inAnHour.toISOString().replace('T', ' ').replace('Z', '')
  const offset = `${new Date(inAnHour.getTime() + dayMs / 12).toISOString().replace('Z', '')}+02:00`
  for (const expiry of [naive, offset, inAnHour.toISOString()]) {
    assert.equal(Date.parse((await opened({ expiry })).expiry), inAnHour.getTime(), expiry)
  }
  for (const expiry of ['2020-01-01T00:00:00Z', 'tomorrow', 7, '2030-02-30 00:00:00']) {
    const answer = await alice.api.post<Refusal>('metadata/', { expiry }, 400)
    assert.match(messageOf(answer), /\bexpiry\b/)
  }
})

test('sends 404 for an expired proxy from that second on', async () => {
  const ends = Date.now() + 3000
  const path = pathOf(await opened({ expiry: new Date(ends).toISOString() }))
  await anybody.post(path, { metadata: 1 }, 200)
  await delay(ends + 50 - Date.now())
  await alice.api.get(path, 404)
  await bob.api.get(path, 404)
  await alice.api.post(path, { metadata: 1 }, 404)
  await anybody.post(path, { metadata: 1 }, 404)
})

test('allows posts from any origin; a wrong token reveals nothing', async () => {
  const path = await newMetadataProxy(alice.api)
  const wrong = `metadata/${'A'.repeat(43)}/`
  for (const one of [path, path.slice(0, -1), wrong]) {
    const url = new URL(`/api/${LATEST}/${one}`, deployment.origin)
    const origin = 'https://notebooks.example.org'
    const asked = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    assert.equal(asked.status, 204)
    assert.equal(asked.headers.get('access-control-allow-origin'), '*')
    assert.match(asked.headers.get('access-control-allow-methods') ?? '', /\bPOST\b/)
    assert.match(asked.headers.get('access-control-allow-headers') ?? '', /\bContent-Type\b/)
    const body = JSON.stringify({ metadata: shown })
    const headers = { origin, 'content-type': 'application/json' }
    const posted = await fetch(url, { method: 'POST', headers, body })
    assert.equal(posted.status, one === wrong ? 404 : 200)
    assert.equal(posted.headers.get('access-control-allow-origin'), '*')
    await posted.arrayBuffer()
  }
})

test('a page in a browser can post from another origin, after a preflight', {
  skip: withoutBrowser,
}, async () => {
  await using browser = await openBrowser()
  await using elsewhere = await servePage()
  const path = await newMetadataProxy(alice.api)
  const url = new URL(`/api/${LATEST}/${path}`, deployment.origin)
  const script = (headers: object) => `fetch(${JSON.stringify(url)}, {
    method: 'POST',
    headers: ${JSON.stringify(headers)},
    body: JSON.stringify({ metadata: { url: location.href, active_tab_title: document.title } }),
  }).then((answer) => answer.text(), (error) => error.name)`
  const type = { 'content-type': 'application/json' }
  assert.equal(
    await browser.run(elsewhere.url, script({ ...type, 'x-unheard-of': '1' })),
    'TypeError',
  )
  assert.equal((await alice.api.get<MetadataProxy>(path)).body.updated, null)
  assert.equal(await browser.run(elsewhere.url, script(type)), 'null')
  const { metadata } = (await alice.api.get<MetadataProxy>(path)).body
  assert.deepEqual(metadata, { url: elsewhere.url.href, active_tab_title: 'Notebook' })
})

/** A page on another server. */
async function servePage() {
  const server = createServer((_, res) => {
    res.setHeader('content-type', 'text/html').end('<!doctype html><title>Notebook</title>')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: new URL(`http://127.0.0.1:${port}/notebook`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('returns metadata unchanged', async () => {
  const path = await newMetadataProxy(alice.api)
  const sent = '{"b":1,"a":[12345678901234567890,1.0,"\\u00fc"],"b":2}'
  await anybody.request('POST', path, { raw: `{"x": 1, "metadata": ${sent}}`, status: 200 })
  assert.ok((await alice.api.get(path)).text.includes(`"metadata":${sent}`))
})

test('rejects invalid bodies, and writes nothing', async () => {
  const made = await opened()
  const path = pathOf(made)
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  for (const [raw, status] of [
    ['', 400],
    ['null', 400],
    ['[]', 400],
    ['{}', 400],
    ['{"metadata": ', 400],
    ['{"metadata": 1} x', 400],
    ['{"metadata": "\\u0000"}', 400],
    ['{"metadata": "a\0b"}', 400],
    ['{"metadata": {"\\udc00": 1}}', 400],
    [`{"metadata": ${nested(200)}}`, 400],
    [`{"metadata": ${nested(100_000)}}`, 400],
    [`{"metadata": "${'x'.repeat(70_000)}"}`, 400],
    [`{"metadata": "${'x'.repeat(2 ** 20)}"}`, 413],
    [`{"data": [{"data": "${'eHh4'.repeat(2 ** 18)}"}], "metadata": 1}`, 413],
  ] as const) {
    for (const me of [anybody, alice.api]) await me.request('POST', path, { raw, status })
  }
  const form = { 'content-type': 'text/plain' }
  await anybody.request('POST', path, { raw: '{"metadata": 1}', headers: form, status: 415 })
  assert.deepEqual((await alice.api.get(path)).body, made)
})

test('after eight concurrent posts, the kernel reads the last one', async () => {
  const path = await newMetadataProxy(alice.api)
  for (let round = 0; round < 5; round++) {
    const before = (await alice.api.get<MetadataProxy>(path)).body.updated ?? ''
    const sent = Array.from({ length: 8 }, (_, n) => ({ round, n }))
    await Promise.all(sent.map((metadata) => anybody.post(path, { metadata }, 200)))
    const { updated, metadata } = (await alice.api.get<MetadataProxy>(path)).body
    assert.ok((updated ?? '') > before)
    assert.ok(sent.some((one) => JSON.stringify(one) === JSON.stringify(metadata)))
  }
})
