import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client } from '../src/client.js'
import { contractOf, type Exchange } from '../src/contract.js'
import { LATEST, VERSIONS } from '../src/deployment.js'

const id = crypto.randomUUID()

/** The routes (method and path below the version) that a client needs to publish a figure. */
const ROUTES: [string, string][] = [
  ['GET', 'info/'],
  ['GET', 'bootstrap/'],
  ['POST', 'user/'],
  ['GET', 'user/'],
  ['GET', 'user/ada/'],
  ...['workspace', 'analysis', 'figure'].flatMap((resource): [string, string][] => [
    ['GET', `${resource}/`],
    ['POST', `${resource}/`],
    ['GET', `${resource}/${id}/`],
    ['PUT', `${resource}/${id}/`],
    ['PATCH', `${resource}/${id}/`],
    ['DELETE', `${resource}/${id}/`],
  ]),
  ['GET', 'revision/'],
  ['POST', 'revision/'],
  ['GET', `revision/${id}/`],
  ['DELETE', `revision/${id}/`],
  ['GET', `revision/${id}/status/`],
  ['GET', `revision/${id}/thumbnail/`],
  ['GET', `revision/${id}/thumbnail/64/`],
  ['GET', `data/${id}/`],
]

/** Since v1.3. */
const TASK_ROUTES: [string, string][] = [
  ['GET', 'tasks/'],
  ['GET', `tasks/${id}/`],
  ['GET', `tasks/${id}/logs/`],
  ['POST', `tasks/${id}/cancel/`],
]

for (const version of VERSIONS) {
  test(`${version}: declares every route needed to publish`, async () => {
    const contract = await contractOf(version)
    for (const [method, path] of ROUTES) {
      assert.ok(contract.declares(method, `/api/${version}/${path}`), `${method} ${path}`)
    }
    const hasTasks = VERSIONS.indexOf(version) >= VERSIONS.indexOf('v1.3')
    for (const [method, path] of TASK_ROUTES) {
      assert.equal(contract.declares(method, `/api/${version}/${path}`), hasTasks, path)
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      assert.ok(!contract.declares(method, `/api/${version}/data/${id}/`), `${method} data`)
    }
  })

  test(`${version}: all schema references resolve`, async () => {
    const contract = await contractOf(version)
    assert.ok(contract.compileAll() > ROUTES.length)
  })
}

test('the check notices what is not documented', async () => {
  const contract = await contractOf(LATEST)
  const exchange = (status: number, body: object, headers = {}) => ({
    method: 'POST',
    path: `/api/${LATEST}/workspace/${id}/members/add/`,
    status,
    contentType: 'application/json',
    bytes: Buffer.from(JSON.stringify(body)),
    headers: new Headers(headers),
  })
  const member = { username: 'ada', membership_type: 'viewer' }
  const known = { error: 'already_member' }
  contract.check(exchange(200, member))
  contract.check(exchange(409, known))
  const undocumented: [Exchange, RegExp][] = [
    [exchange(202, member), /status 202/],
    [exchange(200, { ...member, age: 36 }), /schema of 200/],
    [exchange(200, member, { location: '/' }), /location/],
    [exchange(409, { error: 'already_owner' }), /409 already_owner/],
    [exchange(403, known), /403 already_member/],
    [exchange(404, { error: 'not_found', age: 36 }), /schema of 404/],
  ]
  for (const [wrong, message] of undocumented) {
    assert.throws(() => contract.check(wrong), message)
  }
})

test('declares the token routes without a version', async () => {
  const contract = await contractOf(LATEST)
  assert.ok(contract.declares('POST', '/api/token/'))
  assert.ok(contract.declares('POST', '/api/token/refresh/'))
})

test('only v1.4.1 declares client_id', async () => {
  for (const version of VERSIONS) {
    const { text } = await client(version).request('GET', 'openapi.json', { status: 200 })
    assert.equal(text.includes('"client_id"'), version === LATEST, version)
  }
})
