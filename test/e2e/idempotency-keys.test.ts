import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { callerWith, newApiKey } from '../src/api-keys.js'
import type { Answer, Client, Refusal, RequestOptions } from '../src/client.js'
import {
  at,
  file,
  newAsset,
  newPlace,
  newRevision,
  newWorkspace,
  type Place,
  processed,
} from '../src/publish.js'
import type { Analysis, Figure, Revision } from '../src/resources.js'
import { sshKeyToSend } from '../src/ssh-keys.js'
import { signInStaff, withoutStaff } from '../src/staff.js'
import { newStory } from '../src/stories.js'
import { signUp, type TestUser } from '../src/users.js'

type Created = { api_id: string }

let alice: TestUser
let bob: TestUser
let place: Place
let revision: Revision

before(async () => {
  alice = await signUp()
  bob = await signUp()
  place = await newPlace(alice.api)
  revision = await newRevision(alice.api, place.figure.api_id, [file(randomBytes(100))])
  await processed(alice.api, revision.api_id)
})

const CLIENTS = 8

function postWithKey<T>(
  api: Client,
  key: string,
  path: string,
  json: unknown,
  options: RequestOptions = {},
): Promise<Answer<T>> {
  return api.request<T>('POST', path, { json, headers: { 'Idempotency-Key': key }, ...options })
}

/** Sends a request `CLIENTS` times at once, and once again. All get the same answer. */
async function postManyTimes<T>(
  path: string,
  json: unknown,
  status = 201,
  api = alice.api,
): Promise<T> {
  const key = randomUUID()
  const post = () => postWithKey<T>(api, key, path, json, { status })
  const answers = await Promise.all(Array.from({ length: CLIENTS }, post))
  const replayed = await post()
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
  const first = at(answers, 0)
  for (const answer of [...answers, replayed]) {
    assert.equal(answer.text, first.text)
    for (const name of ['etag', 'location', 'content-type']) {
      assert.equal(answer.headers.get(name), first.headers.get(name), name)
    }
  }
  return first.body
}

const figuresOf = async (analysis: string) =>
  (await alice.api.get<Analysis>(`analysis/${analysis}/`)).body.figures ?? []

const revisionsOf = async (figure: string) =>
  (await alice.api.get<Figure>(`figure/${figure}/`)).body.revisions ?? []

test('eight clients create one figure', async () => {
  const { analysis } = await newPlace(alice.api)
  const body = { name: 'Only once', analysis: analysis.api_id }
  const figure = await postManyTimes<Figure>('figure/', body)
  const named = (await figuresOf(analysis.api_id)).filter(({ name }) => name === body.name)
  assert.deepEqual(
    named.map(({ api_id }) => api_id),
    [figure.api_id],
  )
})

test('eight clients publish one revision', async () => {
  const { figure } = await newPlace(alice.api)
  const data = [file(randomBytes(300_000)), file(randomBytes(2000))]
  const made = await postManyTimes<Revision>('revision/', { figure: figure.api_id, data })
  assert.deepEqual(
    (await revisionsOf(figure.api_id)).map(({ api_id }) => api_id),
    [made.api_id],
  )
  const { size_bytes } = await processed(alice.api, made.api_id)
  assert.equal(size_bytes, 302_000)
  const { body } = await alice.api.get<Figure>(`figure/${figure.api_id}/`)
  assert.equal(body.size_bytes, 302_000)
})

test('eight clients derive one revision', async () => {
  const { figure } = await newPlace(alice.api)
  const path = `revision/${revision.api_id}/derive/`
  const made = await postManyTimes<Revision>(path, { figure: figure.api_id })
  assert.deepEqual(
    (await revisionsOf(figure.api_id)).map(({ api_id }) => api_id),
    [made.api_id],
  )
  // Also without a body.
  const before = await revisionsOf(place.figure.api_id)
  const { body } = await postWithKey<Revision>(alice.api, 'without-a-body', path, undefined)
  const again = await postWithKey<Revision>(alice.api, 'without-a-body', path, undefined)
  assert.equal(again.body.api_id, body.api_id)
  assert.equal((await revisionsOf(place.figure.api_id)).length, before.length + 1)
})

test('eight clients append one data object', async () => {
  const { figure } = await newPlace(alice.api)
  const { api_id } = await newRevision(alice.api, figure.api_id, [file(randomBytes(10))])
  await processed(alice.api, api_id)
  const path = `revision/${api_id}/append_data/`
  await postManyTimes(path, { data: [file(randomBytes(1000))] }, 200)
  assert.equal((await processed(alice.api, api_id)).size_bytes, 1010)
})

test('eight clients assign one revision to one figure of an analysis', async () => {
  const { analysis } = await newPlace(alice.api)
  const data = [file(randomBytes(1000))]
  const body = { analysis: analysis.api_id, metadata: {}, data }
  const made = await postManyTimes<Revision>('revision/auto-assign/', body)
  await processed(alice.api, made.api_id)
  const { body: read } = await alice.api.get<Analysis>(`analysis/${analysis.api_id}/`)
  assert.equal(read.size_bytes, 1000)
})

test('eight clients get one asset revision, comment, story, export and prefix', async () => {
  const { workspace, figure } = place
  const asset = await newAsset(alice.api, workspace.api_id)
  const data = [file(randomBytes(1000))]
  await postManyTimes('asset_revision/', { asset: asset.api_id, data })
  const { body: listed } = await alice.api.get<{ revisions: unknown[] }>(`asset/${asset.api_id}/`)
  assert.equal(listed.revisions.length, 1)

  const comment = { target_type: 'figure', target_id: figure.api_id, content: 'Once.' }
  await postManyTimes('comment/', comment)
  const target = `comment/?target_type=figure&target_id=${figure.api_id}`
  const { body: comments } = await alice.api.get<unknown[]>(target)
  assert.equal(comments.length, 1)

  const story = { name: 'Once', workspace: workspace.api_id, revisions: [revision.api_id] }
  const { api_id } = await postManyTimes<Created>('story/', story)
  const { body: stories } = await alice.api.get<{ stories: Created[] }>(
    `workspace/${workspace.api_id}/`,
  )
  assert.deepEqual(
    stories.stories.map((one) => one.api_id),
    [api_id],
  )
  await postManyTimes(`story/${api_id}/export/`, { format: 'markdown' }, 202)
  const { text: tasks } = await alice.api.get('tasks/')
  assert.equal(tasks.split('Export of a story').length, 2)

  await postManyTimes('short_id_prefix/reserve/', undefined)
})

test('eight clients create one workspace, organization, analysis and asset, and add one member', async () => {
  const count = async () => (await alice.api.get<unknown[]>('workspace/')).body.length
  const before = await count()
  const { api_id: workspace } = await postManyTimes<Created>('workspace/', { name: 'W' })
  assert.equal(await count(), before + 1)
  await postManyTimes('organization/', { name: 'O' })
  const { body: organizations } = await alice.api.get<unknown[]>('organization/')
  assert.equal(organizations.length, 1)
  await postManyTimes('analysis/', { name: 'A', workspace })
  await postManyTimes('asset/', { name: 'S', workspace })
  const member = { username: bob.username, membership_type: 'viewer' }
  await postManyTimes(`workspace/${workspace}/members/add/`, member, 200)
  const { body: children } = await alice.api.get<unknown[]>(`workspace/${workspace}/children/`)
  // An analysis of its own is not created with a secondary workspace.
  assert.equal(children.length, 2)
})

test('eight clients create one SSH key', async () => {
  const key = sshKeyToSend()
  const { api_id } = await postManyTimes<Created>('ssh_key/', key)
  const { body } = await alice.api.get<Created[]>('ssh_key/')
  assert.deepEqual(
    body.map((one) => one.api_id),
    [api_id],
  )
})

test('eight requests with the token of an invitation join once, and all succeed', async () => {
  const { api_id: workspace } = await newWorkspace(bob.api)
  const invitation = { email: 'alice@example.org', membership_type: 'viewer', workspace }
  const { body } = await bob.api.post<{ token: string }>('invitations/workspace/', invitation)
  await postManyTimes(`invitations/workspace/${body.token}/accept/`, undefined, 200)
  const { body: members } = await bob.api.get<unknown[]>(`workspace/${workspace}/members/`)
  assert.equal(members.length, 2)
})

test('eight requests of staff create one plan and one promotion code', {
  skip: withoutStaff,
}, async () => {
  const staff = await signInStaff()
  const name = `Plan ${randomUUID()}`
  const plan = await postManyTimes<Created>('plan/', { name }, 201, staff)
  const { body: plans } = await staff.get<{ name: string }[]>('plan/')
  assert.equal(plans.filter((one) => one.name === name).length, 1)
  const promotion = { plan: plan.api_id }
  await postManyTimes('promotion_code/', promotion, 201, staff)
  const { body: codes } = await staff.get<{ plan: Created }[]>('promotion_code/')
  assert.equal(JSON.stringify(codes).split(plan.api_id).length, 2)
})

test('a key that was used for another request is refused', async () => {
  const key = randomUUID()
  const body = { name: 'First', analysis: place.analysis.api_id }
  await postWithKey(alice.api, key, 'figure/', body)
  const before = await figuresOf(place.analysis.api_id)
  const refuse = async (path: string, json: unknown) => {
    const { body } = await postWithKey<Refusal>(alice.api, key, path, json, { status: 422 })
    assert.equal(body.error, 'idempotency_key_reused')
    assert.match(body.detail ?? '', /Idempotency-Key/)
  }
  await refuse('figure/', { ...body, name: 'Second' })
  await refuse('figure/?silent=true', body)
  await refuse('workspace/', { name: 'Third' })
  const data = [file(randomBytes(1000))]
  await refuse('revision/', { figure: place.figure.api_id, data })
  assert.equal((await figuresOf(place.analysis.api_id)).length, before.length)

  const upload = randomUUID()
  const { figure } = await newPlace(alice.api)
  const publish = (bytes: Buffer, status: number) => {
    const json = { figure: figure.api_id, data: [file(bytes)] }
    return postWithKey(alice.api, upload, 'revision/', json, { status })
  }
  await publish(Buffer.alloc(100_000, 1), 201)
  await publish(Buffer.alloc(100_000, 2), 422)
  assert.equal((await revisionsOf(figure.api_id)).length, 1)
})

test('a key belongs to a user and to the credentials', async () => {
  const key = randomUUID()
  const create = (api: Client) => postWithKey<Created>(api, key, 'workspace/', { name: 'Mine' })
  const { body: hers } = await create(alice.api)
  const { body: his } = await create(bob.api)
  assert.notEqual(his.api_id, hers.api_id)
  const { body: apiKey } = await alice.api.post<{ token: string }>('api_key/', { name: key })
  const withKey: RequestOptions = { headers: { 'Idempotency-Key': key } }
  const { body: other } = await alice.api.request<Created>('POST', 'workspace/', {
    json: { name: 'Mine' },
    headers: { ...withKey.headers, authorization: `Token ${apiKey.token}` },
  })
  assert.notEqual(other.api_id, hers.api_id)
})

test('an API key that may only read exports a story once, and creates nothing', async () => {
  const reader = callerWith(await newApiKey(alice.api, { access: 'read' }))
  const story = await newStory(alice.api, place.workspace.api_id)
  const path = `story/${story.api_id}/export/`
  await postManyTimes(path, { format: 'markdown' }, 202, reader)
  const figure = { name: 'None', analysis: place.analysis.api_id }
  const { body } = await postWithKey<Refusal>(reader, randomUUID(), 'figure/', figure, {
    status: 403,
  })
  assert.equal(body.error, 'insufficient_key_access')
})

test('the stored answer outlives the object', async () => {
  const { api_id: workspace } = await newWorkspace(alice.api)
  const key = randomUUID()
  const create = () =>
    postWithKey<Created>(alice.api, key, 'analysis/', { name: 'Gone', workspace })
  const first = await create()
  await alice.api.delete(`analysis/${first.body.api_id}/`)
  assert.equal((await create()).text, first.text)
  await alice.api.get(`analysis/${first.body.api_id}/`, 404)

  const { figure } = await newPlace(alice.api)
  const publish = () => {
    const json = { figure: figure.api_id, data: [file(Buffer.alloc(5000))] }
    return postWithKey<Revision>(alice.api, key.toUpperCase(), 'revision/', json)
  }
  const published = await publish()
  await alice.api.delete(`figure/${figure.api_id}/`)
  assert.equal((await publish()).text, published.text)
})

test('an error is not stored', async () => {
  const key = randomUUID()
  const analysis = place.analysis.api_id
  const create = (json: unknown, status: number) =>
    postWithKey<Refusal>(alice.api, key, 'figure/', json, { status })
  await create({ name: 5, analysis }, 400)
  await create({ name: 'Now valid', analysis }, 201)

  const { api_id: workspace } = await newWorkspace(alice.api)
  const inWorkspace = { name: 'Later', workspace }
  const refused = randomUUID()
  await postWithKey(bob.api, refused, 'analysis/', inWorkspace, { status: 403 })
  const member = { username: bob.username, membership_type: 'creator' }
  await alice.api.post(`workspace/${workspace}/members/add/`, member, 200)
  await postWithKey(bob.api, refused, 'analysis/', inWorkspace, { status: 201 })
})

test('a key may be quoted, and must be valid', async () => {
  const json = { name: 'Quoted', analysis: place.analysis.api_id }
  const key = randomUUID()
  const { text } = await postWithKey(alice.api, key, 'figure/', json)
  assert.equal((await postWithKey(alice.api, `"${key}"`, 'figure/', json)).text, text)
  for (const invalid of ['', '""', 'two words', 'x'.repeat(256)]) {
    const { body } = await postWithKey<Refusal>(alice.api, invalid, 'figure/', json, {
      status: 400,
    })
    assert.equal(body.errors?.[0]?.field, 'Idempotency-Key')
  }
})

test('routes whose response contains a secret refuse the header', async () => {
  for (const path of ['api_key/', 'metadata/', '/api/token/', 'invitations/workspace/']) {
    const { body } = await postWithKey<Refusal>(alice.api, 'k', path, {}, { status: 400 })
    assert.equal(body.error, 'idempotency_key_unsupported', path)
    assert.match(body.detail ?? '', /^Idempotency-Key: /)
  }
})

test('the header has no effect on requests that create nothing', async () => {
  const path = `figure/${place.figure.api_id}/`
  for (const name of ['One', 'Two']) {
    const options = { json: { name }, headers: { 'Idempotency-Key': 'same' } }
    const { body } = await alice.api.request<Figure>('PATCH', path, options)
    assert.equal(body.name, name)
  }
})
