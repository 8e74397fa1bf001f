import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { either } from '../src/client.js'
import { at, file, newAnalysis, newPlace, processed } from '../src/publish.js'
import type { Analysis, Figure, Revision, Workspace } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser

before(async () => {
  alice = await signUp()
})

const CLIENTS = 8
const EACH = 4

test('eight clients that publish to one figure get the indexes 0 to n-1 and exact sizes', async () => {
  const { workspace, analysis, figure } = await newPlace(alice.api)
  const publishEach = async (client: number): Promise<Revision[]> => {
    const revisions: Revision[] = []
    for (let i = 0; i < EACH; i++) {
      const data = [file(randomBytes(1000 * client + i)), file(Buffer.from('same'))]
      const body = { figure: figure.api_id, data }
      revisions.push((await alice.api.post<Revision>('revision/', body)).body)
    }
    return revisions
  }
  const made = (await Promise.all(Array.from({ length: CLIENTS }, (_, i) => publishEach(i)))).flat()
  const count = CLIENTS * EACH
  const indices = Array.from({ length: count }, (_, i) => i)
  assert.deepEqual(
    made.map(({ revision_index }) => revision_index).sort((a, b) => a - b),
    indices,
  )
  await Promise.all(made.map(({ api_id }) => processed(alice.api, api_id)))

  const size = made.reduce((sum, revision) => sum + revision.size_bytes, 0)
  const { body: read } = await alice.api.get<Figure>(`figure/${figure.api_id}/`)
  assert.deepEqual(
    read.revisions?.map(({ revision_index }) => revision_index),
    indices,
  )
  const times = read.revisions?.map(({ created_on }) => created_on) ?? []
  const above = await Promise.all([
    alice.api.get<Analysis>(`analysis/${analysis.api_id}/`),
    alice.api.get<Workspace>(`workspace/${workspace.api_id}/`),
  ])
  for (const ancestor of [read, ...above.map(({ body }) => body)]) {
    assert.equal(ancestor.size_bytes, size)
    assert.equal(ancestor.child_updated_on, [...times].sort().at(-1), 'the newest publish')
  }
})

test('only one of eight concurrent creates with the same client_id succeeds', async () => {
  const { figure } = await newPlace(alice.api)
  const client_id = crypto.randomUUID()
  const body = { figure: figure.api_id, client_id, data: [file(randomBytes(5000))] }
  const answers = await Promise.all(
    Array.from({ length: CLIENTS }, () =>
      alice.api.post('revision/', body, either('one wins', 201, 409)),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  const { body: read } = await alice.api.get<Figure>(`figure/${figure.api_id}/`)
  assert.deepEqual(
    read.revisions?.map(({ api_id }) => api_id),
    [client_id],
  )
  assert.equal(read.size_bytes, 5000)
})

test('a delete during publishes leaves exact sizes and no orphans', async () => {
  const { workspace, analysis, figure } = await newPlace(alice.api)
  const publishing = Array.from({ length: CLIENTS }, () => {
    const body = { figure: figure.api_id, data: [file(randomBytes(2000))] }
    return alice.api.post<Revision>(
      'revision/',
      body,
      either('before or after the delete', 201, 400),
    )
  })
  const deleting = alice.api.delete(`figure/${figure.api_id}/`)
  await Promise.all([...publishing, deleting])
  for (const answer of await Promise.all(publishing)) {
    if (answer.status === 201) await alice.api.get(`revision/${answer.body.api_id}/`, 404)
  }
  const sizes = await Promise.all([
    alice.api.get<Analysis>(`analysis/${analysis.api_id}/`),
    alice.api.get<Workspace>(`workspace/${workspace.api_id}/`),
  ])
  assert.deepEqual(
    sizes.map(({ body }) => body.size_bytes),
    [0, 0],
  )
  const { body: revisions } = await alice.api.get<Revision[]>('revision/')
  assert.ok(revisions.every((revision) => revision.figure !== figure.api_id))
})

test('concurrent publishes, renames and deletes succeed and lose nothing', async () => {
  const { workspace, analysis, figure } = await newPlace(alice.api)
  const paths = [
    `workspace/${workspace.api_id}/`,
    `analysis/${analysis.api_id}/`,
    `figure/${figure.api_id}/`,
  ]
  const rounds = Array.from({ length: 6 }, (_, i) => i)
  const working = rounds.flatMap((round) => [
    ...paths.map((path) => alice.api.patch(path, { description: `round ${round}` })),
    publishTwiceDeleteOnce(figure.api_id, 100),
  ])
  await Promise.all(working)
  for (const path of paths) {
    const { body } = await alice.api.get<Figure>(path)
    assert.equal(body.size_bytes, rounds.length * 100, path)
    assert.match(body.description ?? '', /^round \d$/)
  }
})

test('one of eight concurrent deletes gets 204, the others 404', async () => {
  const { figure } = await newPlace(alice.api)
  const answers = await Promise.all(
    Array.from({ length: CLIENTS }, () =>
      alice.api.delete(`figure/${figure.api_id}/`, either('one wins', 204, 404)),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 204).length, 1)
})

test('lists all children created at the same time exactly once', async () => {
  const { workspace } = await newPlace(alice.api)
  const names = Array.from({ length: 16 }, (_, i) => `n${i}`)
  const made = await Promise.all(
    names.map((name) => newAnalysis(alice.api, workspace.api_id, name)),
  )
  const path = `workspace/${workspace.api_id}/`
  const { body } = await alice.api.get<Workspace>(path)
  const listed = body.analyses?.slice(1).map(({ api_id }) => api_id) ?? []
  assert.deepEqual([...listed].sort(), made.map(({ api_id }) => api_id).sort())
  const times = body.analyses?.map(({ created_on }) => created_on) ?? []
  assert.deepEqual(times, [...times].sort())
  assert.equal(at(times, -1), body.child_updated_on)
})

async function publishTwiceDeleteOnce(figure: string, length: number): Promise<void> {
  const body = { figure, data: [file(randomBytes(length))] }
  const { body: first } = await alice.api.post<Revision>('revision/', body)
  await alice.api.post<Revision>('revision/', body)
  await alice.api.delete(`revision/${first.api_id}/`)
}
