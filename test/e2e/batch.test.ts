import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { client, type Refusal } from '../src/client.js'
import { LATEST } from '../src/deployment.js'
import {
  at,
  file,
  newPlace,
  newRevision,
  newWorkspace,
  type Place,
  processed,
} from '../src/publish.js'
import type { Figure, Revision, Workspace } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

type Reply<T = unknown> = { status: number; headers: Record<string, string>; body: T }
type Read = { path: string; headers?: Record<string, string> }

let alice: TestUser
let bob: TestUser
let place: Place
let revision: Revision

before(async () => {
  alice = await signUp()
  bob = await signUp()
  place = await newPlace(alice.api)
  revision = await newRevision(alice.api, place.figure.api_id, [file(Buffer.from('bytes'))])
  await processed(alice.api, revision.api_id)
})

async function read(requests: Read[], api = alice.api): Promise<Reply[]> {
  const { body } = await api.post<{ responses: Reply[] }>('batch/', { requests }, 200)
  assert.equal(body.responses.length, requests.length)
  return body.responses
}

test('reads in order what requests by themselves would read', async () => {
  const figure = `figure/${place.figure.api_id}/`
  const paths = [
    `workspace/${place.workspace.api_id}/`,
    figure,
    `/${figure}`,
    `/api/${LATEST}/${figure}`,
    `revision/${revision.api_id}/`,
    `workspace/${place.workspace.api_id}/children/?limit=1`,
    'workspace/',
  ]
  const replies = await read(paths.map((path) => ({ path })))
  for (const [index, path] of paths.entries()) {
    const whole = path === `/${figure}` ? figure : path
    const { body, headers } = await alice.api.get(whole)
    const reply = at(replies, index)
    assert.equal(reply.status, 200)
    assert.deepEqual(reply.body, body, path)
    assert.equal(reply.headers.etag ?? null, headers.get('etag'))
    assert.equal(reply.headers['content-type'], headers.get('content-type'))
  }
})

test('reads another version of the API', async () => {
  const [old] = await read([{ path: `/api/v1/revision/${revision.api_id}/` }])
  const { body } = await alice.at('v1').get<Revision>(`revision/${revision.api_id}/`)
  assert.deepEqual(old?.body, body)
  assert.equal(typeof body.data?.[0]?.data, 'string', 'the bytes, which are streamed')
})

test('each read has its own status and permission', async () => {
  const { api_id: hidden } = await newWorkspace(alice.api)
  const { api_id: bobs } = await newWorkspace(bob.api)
  const paths = [`workspace/${hidden}/`, `workspace/${bobs}/`, 'none/', 'comment/', '/api/v9/info/']
  const replies = await read(
    paths.map((path) => ({ path })),
    bob.api,
  )
  assert.deepEqual(
    replies.map(({ status }) => status),
    [403, 200, 404, 400, 404],
  )
  assert.equal((replies[0] as Reply<Refusal>).body.error, 'permission_denied')
  assert.equal((replies[3] as Reply<Refusal>).body.errors?.[0]?.field, 'target_type')

  const anonymous = await read(
    [{ path: `workspace/${hidden}/` }, { path: 'info/' }, { path: 'workspace/' }],
    client(),
  )
  assert.deepEqual(
    anonymous.map(({ status }) => status),
    [401, 200, 401],
  )
})

test('a key for reading reads, and only in its workspace', async () => {
  const { api_id: other } = await newWorkspace(alice.api)
  const key = { name: crypto.randomUUID(), access: 'read', workspace: place.workspace.api_id }
  const { body } = await alice.api.post<{ token: string }>('api_key/', key)
  const paths = [`workspace/${place.workspace.api_id}/`, `workspace/${other}/`]
  const replies = await read(
    paths.map((path) => ({ path })),
    client(LATEST, `Token ${body.token}`),
  )
  assert.equal(replies[0]?.status, 200)
  assert.ok((replies[1]?.status ?? 0) >= 403)
})

test('Accept of a request applies to it', async () => {
  const path = `figure/${crypto.randomUUID()}/`
  const [problem, usual] = await read([
    { path, headers: { Accept: 'application/problem+json' } },
    { path },
  ])
  assert.equal(problem?.headers['content-type'], 'application/problem+json')
  assert.equal((problem as Reply<{ title: string }>).body.title, 'Not Found')
  assert.match(usual?.headers['content-type'] ?? '', /^application\/json/)
})

test('responses that are not JSON are refused one by one', async () => {
  const data = `data/${at(revision.data, 0).api_id}/`
  const replies = await read([
    { path: `${data}?dl=1` },
    { path: data, headers: { accept: 'application/octet-stream' } },
    { path: 'events/' },
    { path: data },
  ])
  assert.deepEqual(
    replies.map(({ status }) => status),
    [406, 406, 406, 200],
  )
})

test('invalid batches are refused with the name of the member', async () => {
  const ok = { path: 'workspace/' }
  const cases: [unknown, string][] = [
    [{}, 'requests'],
    [{ requests: [] }, 'requests'],
    [{ requests: 'workspace/' }, 'requests'],
    [{ requests: [ok, {}] }, 'requests[1].path'],
    [{ requests: [{ path: '' }] }, 'requests[0].path'],
    [{ requests: [{ path: 'a b' }] }, 'requests[0].path'],
    [{ requests: [{ ...ok, method: 'DELETE' }] }, 'requests[0].method'],
    [{ requests: [ok, { path: 'batch/' }] }, 'requests[1].path'],
    [{ requests: [{ path: `/api/${LATEST}/batch?x=1` }] }, 'requests[0].path'],
    [
      { requests: [{ ...ok, headers: { Authorization: 'x' } }] },
      'requests[0].headers.Authorization',
    ],
    [{ requests: [{ ...ok, headers: { accept: 5 } }] }, 'requests[0].headers.accept'],
    [{ requests: Array(101).fill(ok) }, 'requests'],
    [{ requests: [ok], more: 1 }, 'more'],
  ]
  for (const [body, field] of cases) {
    const refused = await alice.api.post<Refusal>('batch/', body, 400)
    assert.equal(refused.body.errors?.[0]?.field, field, JSON.stringify(body).slice(0, 200))
  }
  // However it is written, a batch is not read in a batch.
  const [nested] = await read([{ path: '%62atch/' }])
  assert.ok([404, 405].includes(nested?.status ?? 0))
})

test('100 reads in one batch, each counted by the rate limit', async () => {
  const carol = await signUp()
  const { api_id } = await newWorkspace(carol.api)
  const left = async () =>
    Number((await carol.api.get('workspace/')).headers.get('ratelimit-remaining'))
  const before = await left()
  const replies = await read(Array(100).fill({ path: `workspace/${api_id}/` }), carol.api)
  for (const { status, body } of replies) {
    assert.equal(status, 200)
    assert.equal((body as Workspace).api_id, api_id)
  }
  assert.ok(before - (await left()) >= 102)
  const { body } = await carol.api.get<Figure>(`workspace/${api_id}/`)
  assert.deepEqual(replies[99]?.body, body)
})
