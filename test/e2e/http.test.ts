import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { client, type Refusal } from '../src/client.js'
import { LATEST, VERSIONS } from '../src/deployment.js'
import { png } from '../src/images.js'
import { at, image, newAnalysis, newPlace, type Place, publish } from '../src/publish.js'
import type { Revision, Workspace } from '../src/resources.js'
import { assertShape } from '../src/shape.js'
import { signUp, type TestUser } from '../src/users.js'
import { exchange } from '../src/wire.js'

let alice: TestUser
let place: Place
let revision: Revision
const anybody = client()

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
  revision = await publish(alice.api, place.figure.api_id, [image(png(40, 40))])
})

const READS = () => [
  'info/',
  'bootstrap/',
  'workspace/',
  'analysis/',
  'figure/',
  'revision/',
  'user/',
  `user/${alice.username}/`,
  `workspace/${place.workspace.api_id}/`,
  `analysis/${place.analysis.api_id}/`,
  `figure/${place.figure.api_id}/`,
  `revision/${revision.api_id}/`,
  `revision/${revision.api_id}/status/`,
  `revision/${revision.api_id}/thumbnail/`,
  `revision/${revision.api_id}/thumbnail/32/`,
  `data/${at(revision.data, 0).api_id}/`,
]

/** `started` differs between the processes of the gateway. */
const withoutStarted = (text: string) => text.replace(/"started":"[^"]*"/, '')

for (const version of VERSIONS) {
  test(`${version}: reads return the same with and without a trailing slash`, async () => {
    const me = alice.at(version)
    for (const path of READS()) {
      const { text } = await me.get(path)
      assert.equal(
        withoutStarted((await me.get(path.slice(0, -1))).text),
        withoutStarted(text),
        path,
      )
    }
    await me.get('workspace?shallow=true')
  })
}

test('accepts writes without a trailing slash, and never redirects', async () => {
  const { body } = await alice.api.post<Workspace>('workspace', { name: 'No slash' })
  const path = `workspace/${body.api_id}`
  await alice.api.put(path, { name: 'PUT' })
  await alice.api.patch(`${path}?silent=true`, { name: 'PATCH' })
  const analysis = await alice.api.post<Workspace>('analysis', {
    name: 'A',
    workspace: body.api_id,
  })
  const parent = { analysis: analysis.body.api_id }
  const figure = await alice.api.post<Workspace>('figure', { name: 'F', ...parent })
  const created = await alice.api.post<Revision>('revision', { figure: figure.body.api_id })
  await alice.api.delete(`revision/${created.body.api_id}`)
  await alice.api.delete(`analysis/${analysis.body.api_id}`)
  await alice.api.delete(path)
})

test('info/ is public and lists the six versions, in each version', async () => {
  for (const version of VERSIONS) {
    const { body } = await client(version).get<Record<string, unknown>>('info/')
    assert.deepEqual(body.api_versions, [...VERSIONS])
    const shape = {
      environment: 'string',
      server_version: 'string',
      started: 'datetime',
      your_ip: 'string',
      ai_enabled: 'boolean',
    }
    assertShape(body, shape, 'info')
    assert.notEqual(isIP(String(body.your_ip)), 0, `your_ip is ${body.your_ip}`)
    assert.ok(Date.parse(String(body.started)) <= Date.now())
  }
})

test('info/ ignores valid and invalid credentials', async () => {
  await alice.api.get('info/')
  await client(LATEST, 'Token nonsense').get('info/', 200)
})

test('your_ip cannot be forged by the client', async () => {
  const headers = { 'x-forwarded-for': '<script>, nonsense', forwarded: 'for=nonsense' }
  const { body } = await anybody.request<{ your_ip: string }>('GET', 'info/', { headers })
  assert.notEqual(isIP(body.your_ip), 0)
})

test('sends 405 with Allow for unsupported methods', async () => {
  for (const [method, path, allowed] of [
    ['DELETE', 'info/', 'GET'],
    ['POST', 'bootstrap/', 'GET'],
    ['DELETE', 'workspace/', 'POST'],
    ['PATCH', 'figure/', 'POST'],
    ['POST', `workspace/${place.workspace.api_id}/`, 'PATCH'],
    ['POST', `revision/${revision.api_id}/status/`, 'GET'],
    ['PUT', `revision/${revision.api_id}/thumbnail/64`, 'GET'],
    ['GET', '/api/token/', 'POST'],
    ['DELETE', '/api/token/refresh', 'POST'],
  ] as const) {
    const answer = await alice.api.request<Refusal>(method, path, { status: 405 })
    const allow = (answer.headers.get('allow') ?? '').split(/,\s*/)
    assert.ok(allow.includes(allowed), `${method} ${path}: Allow is ${allow}`)
    assert.ok(!allow.includes(method))
  }
})

test('sends a JSON 404 for unknown routes and versions', async () => {
  for (const path of [
    'nonsense/',
    'workspace/nonsense/nonsense/nonsense/',
    `figure/${place.figure.api_id}/nonsense/`,
    '/api/',
    '/api/v9/info/',
    '/api/v1.0/info/',
    '/api/v1.5/workspace/',
    '/api/V1/info/',
    '/api/info/',
    '/api/v1.4.1/token/',
    '/api//v1/info/',
  ]) {
    await alice.api.get(path, 404)
  }
})

test('rejects paths that cannot be decoded', async () => {
  for (const path of [
    '/api/v1/user/%zz/',
    '/api/v1/%c0%ae/',
    `/api/v1/user/${'u'.repeat(9000)}/`,
  ]) {
    const answer = await exchange({ method: 'GET', path, authorization: alice.api.authorization })
    assert.equal(answer?.status, 404, path.slice(0, 40))
  }
})

test('returns the request id of the client or a new one', async () => {
  const headers = { 'x-request-id': 'e2e-0123456789' }
  for (const [path, status] of [
    ['info/', 200],
    ['nonsense/', 404],
    ['workspace/', 401],
  ] as const) {
    const echoed = await anybody.request('GET', path, { headers, status })
    assert.equal(echoed.headers.get('x-request-id'), headers['x-request-id'])
    const ids = [await anybody.get(path, status), await anybody.get(path, status)].map((answer) =>
      answer.headers.get('x-request-id'),
    )
    assert.ok(ids[0] && ids[1])
    assert.notEqual(ids[0], ids[1])
  }
})

test('replaces invalid request ids', async () => {
  for (const id of ['x'.repeat(5000), '<script>alert(1)</script>', 'a b\tc']) {
    const answer = await anybody.request('GET', 'info/', { headers: { 'x-request-id': id } })
    const got = answer.headers.get('x-request-id') ?? ''
    assert.ok(got !== '' && got !== id)
  }
})

test('compresses long JSON only if the client accepts it', async () => {
  const { workspace } = await newPlace(alice.api)
  for (let i = 0; i < 12; i++) await newAnalysis(alice.api, workspace.api_id, `Analysis ${i}`)
  const path = `/api/${LATEST}/workspace/${workspace.api_id}/`
  const { text } = await alice.api.get(path)
  for (const [encoding, gzipped] of [
    ['gzip', true],
    ['gzip, deflate, br', true],
    ['gzip;q=0', false],
    ['identity', false],
    [undefined, false],
  ] as const) {
    const answer = await exchange({
      method: 'GET',
      path,
      authorization: alice.api.authorization,
      headers: encoding === undefined ? {} : { 'accept-encoding': encoding },
    })
    assert.ok(answer)
    const used = answer.headers.get('content-encoding')
    assert.equal(used === 'gzip', gzipped, `${encoding}: ${used}`)
    const bytes = used === 'gzip' ? gunzipSync(answer.bytes) : answer.bytes
    assert.equal(bytes.toString(), text)
    if (gzipped) assert.ok(answer.bytes.length < text.length / 2)
    assert.match(answer.headers.get('vary') ?? '', /accept-encoding/i)
  }
})

test('allows requests from other origins (CORS)', async () => {
  const origin = 'https://notebook.example.org'
  for (const [path, method] of [
    ['workspace/', 'POST'],
    [`workspace/${place.workspace.api_id}/`, 'PATCH'],
    [`figure/${place.figure.api_id}`, 'DELETE'],
    ['/api/token/', 'POST'],
  ] as const) {
    const preflight = await exchange({
      method: 'OPTIONS',
      path: path.startsWith('/') ? path : `/api/${LATEST}/${path}`,
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type,if-match',
      },
    })
    assert.ok(preflight)
    assert.equal(preflight.status, 204, path)
    const allowed = (name: string) => preflight.headers.get(`access-control-allow-${name}`) ?? ''
    expectOrigin(preflight.headers, origin)
    assert.ok(allowed('methods').split(/,\s*/).includes(method))
    for (const header of ['authorization', 'content-type', 'if-match']) {
      assert.match(allowed('headers'), new RegExp(header, 'i'))
    }
  }
  for (const [path, status] of [
    ['info/', 200],
    ['nonsense/', 404],
    ['workspace/', 401],
  ] as const) {
    const answer = await anybody.request('GET', path, { headers: { origin }, status })
    expectOrigin(answer.headers, origin)
    assert.match(answer.headers.get('access-control-expose-headers') ?? '', /etag/i)
  }
})

test('sends the security headers and does not reveal the software', async () => {
  for (const [path, status] of [
    ['info/', 200],
    ['nonsense/', 404],
    ['workspace/', 401],
    ['/api/nonsense', 404],
  ] as const) {
    const { headers } = await anybody.get(path, status)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('x-powered-by'), null)
  }
  const read = await alice.api.get(`workspace/${place.workspace.api_id}/`)
  assert.doesNotMatch(read.headers.get('cache-control') ?? '', /public/)
})

test('HEAD responds like GET without a body', async () => {
  for (const [caller, path, status] of [
    [anybody, 'info/', 200],
    [alice.api, 'workspace/', 200],
    [anybody, 'workspace/', 401],
    [anybody, 'nonsense/', 404],
  ] as const) {
    const { headers, bytes } = await caller.request('HEAD', path, { status })
    assert.equal(bytes.length, 0)
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
  }
})

function expectOrigin(headers: Headers, origin: string): void {
  const allowed = headers.get('access-control-allow-origin') ?? ''
  assert.ok(['*', origin].includes(allowed), `Access-Control-Allow-Origin is "${allowed}"`)
  const withCredentials = headers.get('access-control-allow-credentials') === 'true'
  assert.ok(!withCredentials, 'no origin at all should be trusted with cookies')
}
