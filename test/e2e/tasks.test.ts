import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { client, messageOf, type Refusal } from '../src/client.js'
import { LATEST, VERSIONS } from '../src/deployment.js'
import { signUp, type TestUser } from '../src/users.js'

const since = VERSIONS.indexOf('v1.3')

let alice: TestUser
before(async () => {
  alice = await signUp()
})

const id = crypto.randomUUID()
const ROUTES = [
  ['GET', 'tasks/'],
  ['GET', `tasks/${id}/`],
  ['GET', `tasks/${id}/logs/`],
  ['POST', `tasks/${id}/cancel/`],
] as const

for (const [place, version] of VERSIONS.entries()) {
  const is = place >= since
  test(`${version}: tasks are ${is ? 'listed, none at first' : 'not available'}`, async () => {
    const api = alice.at(version)
    if (is) assert.deepEqual((await api.get('tasks/')).body, [])
    for (const [method, path] of is ? ROUTES.slice(1) : ROUTES) {
      await api.request(method, path, { status: 404 })
    }
  })
}

test('sends 404 for task ids that are not UUIDs', async () => {
  for (const odd of ['1', '%00', '%27', `${id}x`]) {
    await alice.api.get(`tasks/${odd}/`, 404)
    await alice.api.get(`tasks/${odd}/logs/`, 404)
    await alice.api.request('POST', `tasks/${odd}/cancel/`, { status: 404 })
  }
})

test('sends 401 to anonymous users on every task route', async () => {
  for (const [method, path] of ROUTES) {
    const { body } = await client(LATEST).request<Refusal>(method, path, { status: 401 })
    assert.equal(body.code, 'not_authenticated')
  }
})

test('tasks can only be read and cancelled', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const path = method === 'POST' ? 'tasks/' : `tasks/${id}/`
    const { headers } = await alice.api.request(method, path, { status: 405 })
    assert.match(headers.get('allow') ?? '', /\bGET\b/)
  }
})

test('filters by status and time', async () => {
  const times = ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123456%2B02:00', '2026-01-31', '']
  const fields = ['created_at__gte', 'created_at__lte', 'completed_at__gte', 'completed_at__lte']
  for (const field of fields) {
    for (const time of times) await alice.api.get(`tasks/?${field}=${time}`)
  }
  const all = 'PENDING,STARTED,SUCCESS,FAILURE,REVOKED'
  for (const words of ['PENDING', all, '']) await alice.api.get(`tasks/?status__in=${words}`)
  await alice.api.get(`tasks/?status__in=${all}&${fields.map((f) => `${f}=2026-01-31`).join('&')}`)
})

test('rejects invalid filters with their name', async () => {
  const wrong = [
    ['status__in', 'DONE'],
    ['status__in', 'PENDING,pending'],
    ['created_at__gte', 'yesterday'],
    ['created_at__lte', '2026-02-31'],
    ['completed_at__gte', '2026-01-31T25:00:00Z'],
    ['completed_at__lte', '%00'],
  ]
  for (const [field, value] of wrong) {
    const answer = await alice.api.get<Refusal>(`tasks/?${field}=${value}`, 400)
    assert.match(messageOf(answer), new RegExp(`${field}: must be`))
  }
})
