import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { client } from '../src/client.js'
import { VERSIONS } from '../src/deployment.js'
import { png, pngSize } from '../src/images.js'
import {
  at,
  code,
  image,
  newAnalysis,
  newPlace,
  newRevision,
  type Place,
  publish,
} from '../src/publish.js'
import type { LogItem, LogPage, Revision } from '../src/resources.js'
import { assertShape, SHAPES } from '../src/shape.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser

before(async () => {
  alice = await signUp()
  bob = await signUp()
})

type Brief = { api_id: string; action: string; target_id: string }

async function actions(path: string, who = alice.api) {
  const { body } = await who.get<Brief[]>(`${path}/log/`)
  const counts: Record<string, number> = {}
  for (const { action } of body) counts[action] = (counts[action] ?? 0) + 1
  return counts
}

async function deep(path: string, query = '') {
  return (await alice.api.get<LogPage>(`${path}/log/?deep=true${query}`)).body
}

const pathsOf = ({ workspace, analysis, figure }: Place) => ({
  workspace: `workspace/${workspace.api_id}`,
  analysis: `analysis/${analysis.api_id}`,
  figure: `figure/${figure.api_id}`,
})

for (const version of VERSIONS) {
  test(`${version}: the worked example of the specification`, async () => {
    const me = alice.at(version)
    const place = await newPlace(me)
    const paths = pathsOf(place)
    const revision = await newRevision(me, place.figure.api_id, [code(Buffer.from('1'))])
    await me.put(`${paths.workspace}/`, { name: 'W' })
    await me.put(`${paths.figure}/`, { name: 'F' })
    // Updates the figure in place of the revision.
    await me.patch(`${paths.figure}/`, { description: 'D' })
    await me.delete(`revision/${revision.api_id}/`)
    for (let read = 0; read < 2; read++) {
      assert.deepEqual(await actions(paths.workspace, me), { create: 4, update: 3, delete: 1 })
      assert.deepEqual(await actions(paths.analysis, me), { create: 3, update: 2, delete: 1 })
      for (const path of Object.values(paths)) await me.get(`${path}/`)
    }
    const { body: brief } = await me.get<Brief[]>(`${paths.workspace}/log/`)
    for (const { api_id, action, target_id } of brief) {
      const { body: item } = await me.get<LogItem>(`${paths.workspace}/log/${api_id}/`)
      assertShape(item, SHAPES.logItem, 'log item')
      assert.deepEqual([item.api_id, item.action, item.target_id], [api_id, action, target_id])
      assert.equal(item.deleted, target_id === revision.api_id)
    }
  })
}

test('an item contains the user, action, time and target, with a thumbnail', async () => {
  const place = await newPlace(alice.api)
  const { workspace, analysis, figure } = place
  const revision = await publish(alice.api, figure.api_id, [image(png(600, 300))])
  const { items } = await deep(pathsOf(place).workspace)
  const [ofRevision, ofFigure] = [at(items, 0), at(items, 1)]
  const { thumbnail, api_id: _, ...rest } = ofRevision
  assert.deepEqual(rest, {
    username: alice.username,
    timestamp: revision.created_on,
    action: 'create',
    target_id: revision.api_id,
    target_type: 'figure_revision',
    target_name: figure.name,
    deleted: false,
    deleted_sentinel: null,
    analysis_id: analysis.api_id,
    analysis_name: analysis.name,
    note: null,
    reason: null,
  })
  assert.deepEqual(pngSize(Buffer.from(thumbnail ?? '', 'base64')), { width: 128, height: 64 })
  for (const item of items) assert.equal(item.thumbnail, thumbnail, item.target_type)
  assert.deepEqual([ofFigure.target_name, ofFigure.timestamp], [figure.name, figure.created_on])
  const own = at(items, 3)
  assert.deepEqual(
    [own.target_id, own.analysis_id, own.analysis_name],
    [workspace.api_id, null, null],
  )
})

test('an item remains when its target is deleted, with the last name', async () => {
  const place = await newPlace(alice.api)
  const paths = pathsOf(place)
  await alice.api.delete(`${paths.figure}/`)
  await alice.api.get(`${paths.figure}/log/`, 404)
  const { items } = await deep(paths.workspace)
  for (const item of items.slice(0, 2)) {
    assert.deepEqual([item.deleted, item.deleted_sentinel], [true, place.figure.name])
    const { body } = await alice.api.get(`${paths.workspace}/log/${item.api_id}/`)
    assert.deepEqual(body, item)
  }
  const left = await deep(paths.workspace, '&exclude_deleted=true')
  assert.deepEqual(
    left.items.map((item) => item.target_type),
    ['analysis', 'workspace'],
  )
})

test('silent=true hides each type of write from all views', async () => {
  const place = await newPlace(alice.api)
  const paths = pathsOf(place)
  const { analysis, figure } = place
  const before = await deep(paths.workspace)
  const body = { name: 'F', analysis: analysis.api_id }
  const { body: quiet } = await alice.api.post<{ api_id: string }>('figure/?silent=true', body)
  await alice.api.put(`${paths.figure}/?silent=true`, { name: 'quiet' })
  await alice.api.patch(`${paths.analysis}/?silent=true`, { name: 'quiet' })
  const revision = { figure: figure.api_id, data: [] }
  const { body: made } = await alice.api.post<Revision>('revision/?silent=true', revision)
  await alice.api.delete(`revision/${made.api_id}/?silent=true`)
  await alice.api.delete(`figure/${quiet.api_id}/?silent=true`)
  const after = await deep(paths.workspace)
  assert.deepEqual(
    after.items.map(({ api_id }) => api_id),
    before.items.map(({ api_id }) => api_id),
  )
})

test('a move appears in the logs of both parents, and once in a common log', async () => {
  const place = await newPlace(alice.api)
  const paths = pathsOf(place)
  const there = await newAnalysis(alice.api, place.workspace.api_id, 'There')
  await alice.api.put(`${paths.figure}/`, { analysis: there.api_id })
  assert.deepEqual(await actions(paths.workspace), { create: 4, move: 1 })
  assert.deepEqual(await actions(paths.analysis), { create: 2, move: 1 })
  assert.deepEqual(await actions(`analysis/${there.api_id}`), { create: 1, move: 1 })
  assert.deepEqual(await actions(paths.figure), { create: 1, move: 1 })
})

test('paginates a log with offset and limit, and reports a reduced limit', async () => {
  const place = await newPlace(alice.api)
  const { workspace: path } = pathsOf(place)
  for (const name of ['a', 'b', 'c']) await alice.api.patch(`${path}/`, { name })
  const whole = await deep(path)
  assert.deepEqual([whole.items.length, whole.has_more, whole.total_count], [6, false, 6])
  const some = await deep(path, '&offset=1&limit=2')
  assert.deepEqual(some, {
    items: whole.items.slice(1, 3),
    has_more: true,
    total_count: 6,
    fetched_count: 2,
  })
  const newest = await deep(path, '&deduplicate=true')
  assert.deepEqual([newest.fetched_count, newest.items[0]], [3, whole.items[0]])
  for (const [query, limit] of [
    ['?deep=true&limit=7', '7'],
    ['?deep=true&limit=5000', '100'],
    ['?limit=5000', '1000'],
    ['', '1000'],
  ]) {
    assert.equal((await alice.api.get(`${path}/log/${query}`)).headers.get('x-limit'), limit)
  }
  for (const query of [
    'limit=0',
    'limit=-1',
    'limit=x',
    'offset=-1',
    'offset=1.5',
    'offset=10000',
  ]) {
    const { text } = await alice.api.get(`${path}/log/?${query}`, 400)
    assert.match(text, new RegExp(`${query.split('=')[0]}:`))
  }
  assert.equal(
    (await alice.api.get(`${path}/log/?deep=true`)).text,
    (await alice.api.get(`${path}/log/?deep=1`)).text,
  )
})

test('logs and items require permission to view the object', async () => {
  const place = await newPlace(alice.api)
  const other = await newPlace(alice.api)
  const { body } = await alice.api.get<Brief[]>(`workspace/${place.workspace.api_id}/log/`)
  const item = at(body, 0).api_id
  for (const path of Object.values(pathsOf(place))) {
    for (const suffix of ['log/', 'log/?deep=true', `log/${item}/`]) {
      await bob.api.get(`${path}/${suffix}`, 403)
      await client().get(`${path}/${suffix}`, 401)
    }
    await alice.api.get(`${path}/log/${crypto.randomUUID()}/`, 404)
    await alice.api.get(`${path}/log/x/`, 404)
  }
  await alice.api.get(`workspace/${other.workspace.api_id}/log/${item}/`, 404)
})
