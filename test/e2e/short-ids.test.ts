import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { callerWith, newApiKey } from '../src/api-keys.js'
import { type Client, client, messageOf, type Refusal } from '../src/client.js'
import { VERSIONS } from '../src/deployment.js'
import { png } from '../src/images.js'
import { at, image, newPlace, newRevision, type Place, processed } from '../src/publish.js'
import type { Figure, Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let stranger: TestUser
let place: Place
/** The two ids of a revision. */
let revision: { api_id: string; short_id: string }

before(async () => {
  alice = await signUp()
  stranger = await signUp()
  place = await newPlace(alice.api)
  const short_id = `${await reserve(alice.api)}0`
  const made = await newRevision(alice.api, place.figure.api_id, [image(png(20, 20))], { short_id })
  await processed(alice.api, made.api_id)
  revision = { api_id: made.api_id, short_id }
})

async function reserve(me: Client): Promise<string> {
  return (await me.post<{ prefix: string }>('short_id_prefix/reserve/', {})).body.prefix
}

test('reserves a unique prefix of 8 characters, in every version, also with an API key', async () => {
  const { api_id: workspace } = place.workspace
  const key = callerWith(await newApiKey(alice.api, { workspace }))
  const clients = [...VERSIONS.map((version) => alice.at(version)), stranger.api, key]
  const prefixes = await Promise.all(clients.map(reserve))
  for (const prefix of prefixes) assert.match(prefix, /^[0-9a-zA-Z]{8}$/)
  assert.equal(new Set(prefixes).size, clients.length)
})

test('returns the short id in all forms of the revision', async () => {
  const { body: full } = await alice.api.get<Revision>(`revision/${revision.api_id}/`)
  const { body: figure } = await alice.api.get<Figure>(`figure/${place.figure.api_id}/`)
  const { body: list } = await alice.api.get<Revision[]>('revision/')
  for (const shown of [full, at(figure.revisions, 0), at(list, 0)]) {
    assert.equal(shown.short_id, revision.short_id)
  }
})

/** All reads below a revision, and the writes that can be repeated. */
const below = [
  '',
  '?shallow=true',
  'status/',
  'size/',
  'children/',
  'log/',
  'log/?deep=true',
  'thumbnail/',
  'thumbnail/16/?dl=1',
  'share/user/',
  'share/link/',
]

test('accepts a short id on every route of a revision', async () => {
  const { api_id, short_id } = revision
  for (const path of below) {
    const [byId, byShortId] = await Promise.all([
      alice.api.get(`revision/${api_id}/${path}`),
      alice.api.get(`revision/${short_id}/${path}`),
    ])
    assert.deepEqual(byShortId.bytes, byId.bytes, path)
  }
  const { body: log } = await alice.api.get<{ api_id: string }[]>(`revision/${short_id}/log/`)
  await alice.api.get(`revision/${short_id}/log/${at(log, 0).api_id}/`)
  const share = { username: stranger.username, sharing_enabled: true }
  await alice.api.post(`revision/${short_id}/share/user/`, share, 200)
  await stranger.api.get(`revision/${short_id}/`)
  await alice.api.post(
    `revision/${short_id}/share/user/`,
    { ...share, sharing_enabled: false },
    200,
  )
  await alice.api.post(`revision/${short_id}/share/link/`, { enabled: true }, 200)
  await client().get(`revision/${short_id}/`)
  await alice.api.post(`revision/${short_id}/share/link/`, { enabled: false }, 200)
})

test('a short id grants no additional access', async () => {
  for (const path of below) {
    for (const [caller, status] of [
      [stranger.api, 403],
      [client(), 401],
    ] as const) {
      const refusals = await Promise.all(
        Object.values(revision).map((id) =>
          caller.get<Refusal>(`revision/${id}/${path}`, status).then(messageOf),
        ),
      )
      assert.equal(refusals[0], refusals[1], path)
    }
  }
})

test('an unknown short id gets the same response as an unknown api_id', async () => {
  const unknown = [crypto.randomUUID(), `${await reserve(alice.api)}0`, '00000000a', 'no_id']
  for (const path of below) {
    for (const [caller, status] of [
      [alice.api, 404],
      [client(), 401],
    ] as const) {
      const answers = unknown.map((id) => caller.get<Refusal>(`revision/${id}/${path}`, status))
      const refusals = (await Promise.all(answers)).map(messageOf)
      assert.equal(new Set(refusals).size, 1, `${path}: ${refusals.join(' | ')}`)
    }
  }
  for (const id of unknown) {
    await alice.api.delete(`revision/${id}/`, 404)
    await alice.api.post(`revision/${id}/share/link/`, { enabled: true }, 404)
  }
})

test('accepts short ids only for figure revisions', async () => {
  const { short_id } = revision
  for (const path of ['figure', 'analysis', 'data', 'asset', 'workspace']) {
    await alice.api.get(`${path}/${short_id}/`, 404)
  }
})

test("sends 409 for a taken short id and 400 for somebody else's prefix, and leaves nothing", async () => {
  const figure = place.figure.api_id
  const { text: before } = await alice.api.get(`figure/${figure}/`)
  const { short_id } = revision
  const taken = await alice.api.post<Refusal>('revision/', { figure, short_id }, 409)
  assert.match(messageOf(taken), /short_id/)
  for (const wrong of [
    `${await reserve(stranger.api)}0`,
    `${short_id}-`,
    short_id.slice(0, 8),
    7,
  ]) {
    const refusal = await alice.api.post<Refusal>('revision/', { figure, short_id: wrong }, 400)
    assert.match(messageOf(refusal), /short_id/)
  }
  const otherPlace = await newPlace(stranger.api)
  await stranger.api.post('revision/', { figure: otherPlace.figure.api_id, short_id }, 400)
  assert.equal((await alice.api.get(`figure/${figure}/`)).text, before)
})

test('short_id is null if none was sent, and works in every version', async () => {
  const figure = place.figure.api_id
  const prefix = await reserve(alice.api)
  assert.equal((await newRevision(alice.api, figure)).short_id, null)
  assert.equal((await newRevision(alice.api, figure, [], { short_id: null })).short_id, null)
  for (const [index, version] of VERSIONS.entries()) {
    const short_id = `${prefix}${index}`
    const made = await newRevision(alice.at(version), figure, [], { short_id })
    assert.equal(made.short_id, short_id)
  }
})

test('the short id of a deleted revision is not found, and cannot be reused', async () => {
  const figure = place.figure.api_id
  const short_id = `${await reserve(alice.api)}0`
  const { api_id } = await newRevision(alice.api, figure, [], { short_id })
  await alice.api.delete(`revision/${short_id}/`)
  await alice.api.get(`revision/${short_id}/`, 404)
  await alice.api.get(`revision/${api_id}/`, 404)
  await alice.api.post('revision/', { figure, short_id }, 409)
})
