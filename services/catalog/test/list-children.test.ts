import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import type { Node } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  type Bench,
  bob,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
  make,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  refused,
  startBench,
  unauthenticated,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

async function all(parentId: string, type: Node['type'], pageSize: number) {
  const nodes: Node[] = []
  let pageToken = ''
  do {
    const page = await bench.client.listChildren({ parentId, type, pageSize, pageToken }, ada)
    assert.ok(page.nodes.length > 0 && page.nodes.length <= pageSize)
    nodes.push(...page.nodes)
    pageToken = page.nextPageToken
  } while (pageToken)
  return nodes
}

test('children come by position, then oldest first, as each reads alone', async () => {
  const { figure } = await makeTree(bench)
  const second = await makeRevision(bench, figure.id, [2n], { position: 1 })
  const twin = await makeRevision(bench, figure.id, [3n], { position: 1 })
  const first = await makeRevision(bench, figure.id, [1n], { position: 0 })
  const reserved = { type: FIGURE_REVISION, parentId: figure.id }
  await bench.client.reserve(reserved, ada)
  const gone = await makeRevision(bench, figure.id, [9n], { position: 2 })
  await bench.client.deleteNode({ id: gone.id }, ada)

  const request = { parentId: figure.id, type: FIGURE_REVISION }
  const { nodes, nextPageToken } = await bench.client.listChildren(request, ada)
  assert.deepEqual(nodes, [first, second, twin])
  assert.equal(nextPageToken, '')
  for (const node of nodes) assert.deepEqual(await get(bench, node), node)
  assert.deepEqual(await all(figure.id, FIGURE_REVISION, 1), nodes)
})

test('a page lists what was made in one microsecond once, in the order of creation', async () => {
  const { workspace, analysis } = await makeTree(bench)
  const made = [analysis]
  for (let n = 0; n < 12; n++) made.push(await make(bench, ANALYSIS, workspace.id))
  await bench.query(`update node set created_on = '2026-11-21 12:00:00.000001+00'
    where parent_id = '${workspace.id}'`)
  for (const pageSize of [1, 5, 13, 14]) {
    const listed = await all(workspace.id, ANALYSIS, pageSize)
    assert.deepEqual(
      listed.map((node) => node.id),
      made.map((node) => node.id),
    )
  }
})

test('a page holds 1000 at most, and that many by default', async () => {
  const { figure } = await makeTree(bench)
  await bench.query(`insert into node (id, type, parent_id, lineage, workspace_id, state, position,
      created_by)
    select gen_random_uuid(), type, parent_id, lineage, workspace_id, 'active', g, 'ada'
      from (select 'figure_revision' as type, id as parent_id, lineage, workspace_id from node
             where id = '${figure.id}') f, generate_series(0, 1000) g`)
  const request = { parentId: figure.id, type: FIGURE_REVISION }
  for (const pageSize of [0, -1, 1000, 5000]) {
    const page = await bench.client.listChildren({ ...request, pageSize }, ada)
    assert.equal(page.nodes.length, 1000)
    assert.ok(page.nextPageToken)
  }
})

test('only children of the type that was asked for', async () => {
  const { workspace } = await makeTree(bench)
  const { nodes } = await bench.client.listChildren({ parentId: workspace.id, type: FIGURE }, ada)
  assert.deepEqual(nodes, [])
})

test('401, 404, 403, then 400', async () => {
  const { figure, workspace } = await makeTree(bench)
  const list = (request: object, as = ada) =>
    bench.client.listChildren({ parentId: workspace.id, type: ANALYSIS, ...request }, as)
  for (const parentId of [workspace.id, newId(), 'x']) {
    await refused(list({ parentId }, nobody), unauthenticated)
    await refused(list({ parentId, type: 0 }, nobody), unauthenticated)
  }
  const pending = await bench.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  for (const parentId of [newId(), 'x', pending.id]) await refused(list({ parentId }), notFound)
  await refused(list({}, bob), denied)
  const bad = (field: string) => ({ code: 'InvalidArgument', field }) as const
  await refused(list({ type: 0 }), bad('type'))
  await refused(list({ pageToken: 'x' }), bad('page_token'))
})
