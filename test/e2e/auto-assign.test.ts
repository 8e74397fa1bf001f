import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { callerWith, newApiKey } from '../src/api-keys.js'
import { type Client, client, messageOf, type Refusal } from '../src/client.js'
import { isFrom, VERSIONS } from '../src/deployment.js'
import { png } from '../src/images.js'
import {
  at,
  base64,
  code,
  file,
  newAnalysis,
  newFigure,
  newPlace,
  newRevision,
  type Place,
  processed,
  publish,
} from '../src/publish.js'
import type { Analysis, Container, DataToSend, Figure, Revision } from '../src/resources.js'
import { finishedTask } from '../src/tasks.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
})

/** A distinct picture: rectangles at positions that depend on the seed. */
const drawing = (seed: number, side = 400) => {
  const bars = Array.from({ length: 9 }, (_, n) => {
    const height = 60 + ((seed * 7919 + n * 104_729 + seed * n * 31) % 320)
    const grey = (seed * 131 + n * 57) % 160
    return `<rect x="${n * 44}" y="${400 - height}" width="36" height="${height}" fill="rgb(${grey},${grey},${grey})"/>`
  })
  const size = `width="${side}" height="${side}" viewBox="0 0 400 400"`
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect width="400" height="400" fill="#fff"/>${bars.join('')}</svg>`,
  )
}
const svg = (bytes: Uint8Array, name = 'figure'): DataToSend => ({
  name,
  type: 'image',
  metadata: { format: 'svg' },
  data: base64(bytes),
})

async function assign(me: Client, analysis: string, data: DataToSend[], more: object = {}) {
  const body = { analysis, metadata: {}, data, ...more }
  return (await me.post<Revision>('revision/auto-assign/', body)).body
}
const figureOf = async (me: Client, id: string) => (await me.get<Figure>(`figure/${id}/`)).body
const figuresIn = async (me: Client, analysis: string) =>
  (await me.get<Analysis>(`analysis/${analysis}/`)).body.figures ?? []
const newEmptyAnalysis = async () => (await newAnalysis(alice.api, place.workspace.api_id)).api_id

/** The task of this revision when it is over. */
async function taskOf(revision: string) {
  for (const { task_id } of await alice.figbase.get('/tasks/')) {
    const task = await finishedTask(alice.figbase, task_id)
    assert.equal(task.task_type, 'auto-assign')
    if (JSON.stringify(task.result)?.includes(revision)) return task
  }
  return assert.fail(`no task for ${revision}`)
}

test('assigns an image to the figure with a similar image, also in another size', async () => {
  const analysis = await newEmptyAnalysis()
  const figures = await Promise.all([1, 2, 3].map((n) => newFigure(alice.api, analysis, `F${n}`)))
  for (const [index, { api_id }] of figures.entries()) {
    await publish(alice.api, api_id, [svg(drawing(index + 1))])
  }
  const target = at(figures, 1).api_id
  const data = [svg(drawing(2, 900)), code(Buffer.from('draw()'))]
  const made = await assign(alice.api, analysis, data)
  assert.equal(made.is_processing, true)
  assert.notEqual(made.figure, target, 'it should have its own figure before the assignment')
  const done = await processed(alice.api, made.api_id)
  assert.equal(done.figure, target)
  assert.equal(done.revision_index, 1)
  assert.equal(done.created_on, made.created_on)
  assert.ok(done.image_hash)
  const figure = await figureOf(alice.api, target)
  assert.deepEqual(figure.revisions?.map(({ api_id }) => api_id).at(-1), made.api_id)
  assert.equal(figure.auto_assign_pending, false)
  await alice.api.get(`figure/${made.figure}/`, 404)
  const left = await figuresIn(alice.api, analysis)
  assert.deepEqual(left.map(({ name }) => name).sort(), ['F1', 'F2', 'F3'])
  const task = await taskOf(made.api_id)
  assert.equal(task.status, 'SUCCESS')
  const { body: whole } = await alice.api.get<Container>(`analysis/${analysis}/`)
  const sizes = await Promise.all(left.map(({ api_id }) => figureOf(alice.api, api_id)))
  assert.equal(
    whole.size_bytes,
    sizes.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
  )
})

test('a matching name takes precedence over a similar image', async () => {
  const analysis = await newEmptyAnalysis()
  const [named, alike] = [
    await newFigure(alice.api, analysis, 'Monthly  Means'),
    await newFigure(alice.api, analysis, 'Other'),
  ]
  await publish(alice.api, alike.api_id, [svg(drawing(4))])
  const byImage = await assign(alice.api, analysis, [svg(drawing(4), 'monthly means')])
  assert.equal((await processed(alice.api, byImage.api_id)).figure, named.api_id)
  const more = { metadata: { title: 'MONTHLY MEANS' } }
  const byMetadata = await assign(alice.api, analysis, [], more)
  const done = await processed(alice.api, byMetadata.api_id)
  assert.equal(done.figure, named.api_id)
  assert.equal(done.revision_index, 1)
})

test('creates a figure with the name of the image if nothing matches', async () => {
  const analysis = await newEmptyAnalysis()
  const other = await newFigure(alice.api, analysis, 'Other')
  await publish(alice.api, other.api_id, [svg(drawing(5))])
  for (const [data, name] of [
    [[svg(drawing(6), 'Depth of counts')], 'Depth of counts'],
    [[svg(drawing(7))], 'Untitled figure'],
    [[], 'Untitled figure'],
    [[{ ...svg(Buffer.from('no picture')), name: 'Broken' }], 'Broken'],
    [[file(Buffer.from('rows'))], 'Untitled figure'],
  ] as const) {
    const made = await assign(alice.api, analysis, [...data])
    const done = await processed(alice.api, made.api_id)
    assert.equal(done.figure, made.figure)
    assert.equal(done.revision_index, 0)
    const figure = await figureOf(alice.api, done.figure)
    assert.equal(figure.name, name)
    assert.equal(figure.auto_assign_pending, false)
    assert.equal((await taskOf(made.api_id)).status, 'SUCCESS')
  }
})

test('assigns to no figure if two match equally well', async () => {
  const analysis = await newEmptyAnalysis()
  for (const name of ['One', 'Two']) {
    const { api_id } = await newFigure(alice.api, analysis, name)
    await publish(alice.api, api_id, [svg(drawing(8))])
  }
  const made = await assign(alice.api, analysis, [svg(drawing(8))])
  assert.equal((await processed(alice.api, made.api_id)).figure, made.figure)
})

test('accepts client_id, short_id, clean room, links and description', async () => {
  const analysis = await newEmptyAnalysis()
  const { body } = await alice.api.post<{ prefix: string }>('short_id_prefix/reserve/', {})
  const more = {
    client_id: crypto.randomUUID(),
    short_id: `${body.prefix}0`,
    is_clean_room: true,
    description: 'what is seen',
    assets: [],
    metadata: { a: [1, null] },
  }
  const made = await assign(alice.api, analysis, [svg(drawing(9))], more)
  assert.equal(made.api_id, more.client_id)
  assert.equal(made.short_id, more.short_id)
  const done = await processed(alice.api, made.api_id)
  assert.deepEqual([done.is_clean_room, done.metadata], [true, more.metadata])
  await alice.api.get(`revision/${more.short_id}/`)
  const before = (await figuresIn(alice.api, analysis)).length
  const again = { analysis, client_id: more.client_id }
  await alice.api.post('revision/auto-assign/', again, 409)
  await alice.api.post('revision/auto-assign/', { analysis, short_id: more.short_id }, 409)
  assert.equal(
    (await figuresIn(alice.api, analysis)).length,
    before,
    'no figure should be left over',
  )
})

test('allows updates during the assignment', async () => {
  const analysis = await newEmptyAnalysis()
  const { api_id } = await newFigure(alice.api, analysis, 'Target')
  const made = await assign(alice.api, analysis, [svg(drawing(10), 'target')])
  // The name does not change, so the assignment is the same with either data.
  const data = [svg(drawing(10), 'target'), file(Buffer.from('more'))]
  const changes = { metadata: { changed: true }, data }
  await alice.api.patch(`revision/${made.api_id}/?silent=true`, changes)
  const done = await processed(alice.api, made.api_id)
  assert.equal(done.figure, api_id)
  assert.deepEqual(done.metadata, { changed: true })
  assert.equal(done.data?.length, 2)
})

test('accepts an update with the state from before the assignment', async () => {
  const analysis = await newEmptyAnalysis()
  const { api_id } = await newFigure(alice.api, analysis, 'Target')
  const made = await assign(alice.api, analysis, [svg(drawing(11), 'target')])
  assert.notEqual(made.figure, api_id)
  await processed(alice.api, made.api_id)
  const path = `revision/${made.api_id}/`
  const { body } = await alice.api.put<Revision>(path, { ...made, data: [], metadata: 'saved' })
  assert.deepEqual([body.figure, body.metadata], [api_id, 'saved'])
  const { api_id: elsewhere } = await newFigure(alice.api, analysis, 'Elsewhere')
  await alice.api.put(path, { figure: elsewhere }, 400)
})

test('eight concurrent assignments to one figure get consecutive indexes', async () => {
  const analysis = await newEmptyAnalysis()
  const { api_id } = await newFigure(alice.api, analysis, 'Crowd')
  const made = await Promise.all(
    Array.from({ length: 8 }, () =>
      assign(alice.api, analysis, [image(), svg(drawing(11), 'crowd')]),
    ),
  )
  for (const { api_id: id } of made) await processed(alice.api, id)
  const figure = await figureOf(alice.api, api_id)
  assert.deepEqual(
    figure.revisions?.map(({ revision_index }) => revision_index),
    [0, 1, 2, 3, 4, 5, 6, 7],
  )
  assert.equal((await figuresIn(alice.api, analysis)).length, 1)
})
const image = (): DataToSend => ({ ...svg(png(20, 20)), metadata: { format: 'png' } })

for (const version of VERSIONS) {
  test(`${version}: assigns a revision`, async () => {
    const analysis = await newEmptyAnalysis()
    const { api_id } = await newFigure(alice.api, analysis, 'Known')
    const me = alice.at(version)
    const made = await assign(me, analysis, [svg(drawing(12), 'known')])
    assert.equal((await processed(alice.api, made.api_id)).figure, api_id)
    if (isFrom(version, 'v1.3')) await me.get('tasks/')
  })
}

test('allows a key for this workspace, but not for another', async () => {
  const analysis = await newEmptyAnalysis()
  const key = callerWith(await newApiKey(alice.api, { workspace: place.workspace.api_id }))
  const made = await assign(key, analysis, [svg(drawing(13), 'By key')])
  await processed(alice.api, made.api_id)
  const other = await newPlace(alice.api)
  await key.post('revision/auto-assign/', { analysis: other.analysis.api_id }, 403)
})

test('rejects missing permission and invalid bodies, and leaves nothing', async () => {
  const analysis = await newEmptyAnalysis()
  const stranger = await signUp()
  const path = 'revision/auto-assign/'
  for (const body of [{ analysis }, { analysis, client_id: 'x' }, { analysis, data: [{}] }]) {
    await stranger.api.post(path, body, 403)
    await client().post(path, body, 401)
  }
  for (const [body, field] of [
    [{}, 'analysis'],
    [{ analysis: 7 }, 'analysis'],
    [{ analysis: 'no-id' }, 'analysis'],
    [{ analysis: crypto.randomUUID() }, 'analysis'],
    [{ analysis: place.figure.api_id }, 'analysis'],
    [{ analysis, client_id: 'x' }, 'client_id'],
    [{ analysis, short_id: '000000000' }, 'short_id'],
    [{ analysis, data: [{ type: 'image' }] }, 'data'],
    [{ analysis, assets: [{ asset_revision: crypto.randomUUID() }] }, 'assets'],
  ] as const) {
    assert.match(messageOf(await alice.api.post<Refusal>(path, body, 400)), new RegExp(field))
  }
  assert.deepEqual(await figuresIn(alice.api, analysis), [])
  await alice.api.get(path, 404)
})

test('does not assign ordinary revisions of a figure', async () => {
  const analysis = await newEmptyAnalysis()
  const { api_id } = await newFigure(alice.api, analysis, 'Plain')
  const { figure } = await newRevision(alice.api, api_id, [svg(drawing(14))])
  assert.equal(figure, api_id)
})
