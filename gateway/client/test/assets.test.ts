import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFigbase, syncAsset } from '../src/index.js'
import { type Reply, startFake } from './fake-server.js'

const init = { name: 'stations.csv', workspace: 'here' }
const found: Reply = {
  json: [
    { api_id: 'r1', asset: 'a' },
    { api_id: 'r2', asset: 'b' },
    { api_id: 'r3', asset: 'b' },
    { api_id: 'r4', asset: 'c' },
  ],
}
const answer = (status: number, body: unknown) => ({ status, headers: {}, body })
const within = (workspace: string) => answer(200, { workspace })
const batch = (...responses: object[]): Reply => ({ json: { responses } })

test('the workspaces of all assets with the same bytes are read in one request', async () => {
  const refused = answer(403, { error: 'permission_denied' })
  await using server = await startFake(found, batch(refused, within('here'), within('here')))
  const synced = await syncAsset(createFigbase(server), 'id\n1\n', init)
  assert.deepEqual(synced, { asset: 'b', api_id: 'r2', isNew: false })
  assert.deepEqual(
    server.seen.map(({ method, url }) => `${method} ${url}`),
    ['POST /api/v1.4.1/asset_revision/find_by_hash/', 'POST /api/v1.4.1/batch/'],
  )
  const { requests } = JSON.parse(server.seen[1]?.body ?? '')
  assert.deepEqual(
    requests.map(({ path }: { path: string }) => path),
    ['a', 'b', 'c'].map((id) => `/asset/${id}/?fields=workspace`),
  )
})

test('the same bytes in other workspaces only are published', async () => {
  const elsewhere = within('elsewhere')
  await using server = await startFake(
    found,
    batch(elsewhere, elsewhere, answer(404, { error: 'not_found' })),
    { json: [] },
    { status: 201, json: { api_id: 'new' } },
    { status: 201, json: { api_id: 'r5' } },
  )
  const synced = await syncAsset(createFigbase(server), 'id\n1\n', init)
  assert.deepEqual(synced, { asset: 'new', api_id: 'r5', isNew: true })
})

test('bytes that are not known are read in no batch', async () => {
  await using server = await startFake(
    { json: [] },
    { json: [{ api_id: 'a', workspace: 'here' }] },
    { status: 201, json: { api_id: 'r' } },
  )
  const synced = await syncAsset(createFigbase(server), 'id\n1\n', init)
  assert.deepEqual(synced, { asset: 'a', api_id: 'r', isNew: true })
})

test('many assets are read in batches, until one is of the workspace', async () => {
  const json = Array.from({ length: 250 }, (_, n) => ({ api_id: `r${n}`, asset: `a${n}` }))
  const ofOthers = Array(100).fill(within('elsewhere'))
  await using server = await startFake(
    { json },
    batch(...ofOthers),
    batch(...ofOthers.with(7, within('here'))),
  )
  const synced = await syncAsset(createFigbase(server), 'id\n1\n', init)
  assert.deepEqual(synced, { asset: 'a107', api_id: 'r107', isNew: false })
  assert.equal(server.seen.length, 3)
})

test('an asset that cannot be read at the moment is an error, not another copy', async () => {
  const busy = answer(503, { error: 'unavailable' })
  await using server = await startFake(found, batch(within('elsewhere'), busy, busy))
  const failed = syncAsset(createFigbase(server), 'id\n1\n', init)
  await assert.rejects(failed, { status: 503, error: 'unavailable' })
  assert.equal(server.seen.length, 2)
})
