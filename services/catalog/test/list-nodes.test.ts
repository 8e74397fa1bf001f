import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { actAs, newId, user } from '@figbase/kit'
import type { Node, NodeType } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  type Bench,
  bob,
  FIGURE,
  FIGURE_REVISION,
  get,
  make,
  makeRevision,
  makeTree,
  nobody,
  refused,
  startBench,
  system,
  unauthenticated,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

async function all(type: NodeType, pageSize = 1000, as = ada) {
  const nodes: Node[] = []
  let pageToken = ''
  do {
    const page = await bench.client.listNodes({ type, pageSize, pageToken }, as)
    nodes.push(...page.nodes)
    pageToken = page.nextPageToken
  } while (pageToken)
  return nodes
}

const idsOf = (nodes: Node[]) => nodes.map((node) => node.id)

test('a list holds what the caller can view over all workspaces, oldest first', async () => {
  const before = await all(FIGURE_REVISION)
  const one = await makeTree(bench)
  const other = await makeTree(bench)
  const first = await makeRevision(bench, other.figure.id, [1n], { position: 9 })
  const second = await makeRevision(bench, one.figure.id, [2n])
  const third = await makeRevision(bench, other.figure.id, [3n])
  await bench.client.reserve({ type: FIGURE_REVISION, parentId: one.figure.id }, ada)
  const listed = (await all(FIGURE_REVISION)).slice(before.length)
  assert.deepEqual(listed, [first, second, third])
  const [last] = (await all(WORKSPACE)).slice(-1)
  assert.deepEqual(last, await get(bench, other.workspace))
  assert.deepEqual(await all(FIGURE_REVISION, 1000, bob), [])
})

test('a member lists what is in the workspace, and nothing of the owner besides', async () => {
  const { workspace, figure } = await makeTree(bench)
  await bench.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('bob', '${workspace.id}', 'member', 'viewer', 'ada')`)
  assert.deepEqual(idsOf(await all(WORKSPACE, 1000, bob)), [workspace.id])
  assert.deepEqual(idsOf(await all(FIGURE, 1000, bob)), [figure.id])
})

test('what is shared with a user is listed with what is below it, once', async () => {
  const eve = actAs(user('eve'))
  const one = await makeTree(bench)
  const other = await makeTree(bench)
  const shared = async ({ id }: Node, kind = 'share', subject = 'eve') =>
    bench.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
      values ('${subject}', '${id}', '${kind}', 'viewer', 'ada')`)
  const revisions = [
    await makeRevision(bench, one.figure.id),
    await makeRevision(bench, other.figure.id, [], { position: 2 }),
    await makeRevision(bench, other.figure.id, [], { position: 1 }),
  ]
  await makeRevision(bench, (await make(bench, FIGURE, other.analysis.id)).id)
  await shared(one.analysis)
  await shared(one.figure)
  await shared(other.figure)
  if (revisions[2]) await shared(revisions[2])
  const linked = await makeTree(bench)
  await shared(linked.analysis, 'link', '')

  assert.deepEqual(await all(ANALYSIS, 1000, eve), [await get(bench, one.analysis)])
  assert.deepEqual(idsOf(await all(FIGURE, 1000, eve)), [one.figure.id, other.figure.id])
  for (const pageSize of [1, 2, 1000]) {
    assert.deepEqual(idsOf(await all(FIGURE_REVISION, pageSize, eve)), idsOf(revisions))
  }
  assert.deepEqual(await all(WORKSPACE, 1000, eve), [], 'a share reaches no workspace')
})

test('a member of an organization lists what is in its workspaces, once', async () => {
  const fay = actAs(user('fay'))
  const one = await makeTree(bench)
  const other = await makeTree(bench)
  const outside = await makeTree(bench)
  const organizationId = newId()
  await bench.query(`update node set organization_id = '${organizationId}'
    where id in ('${one.workspace.id}', '${other.workspace.id}')`)
  for (const id of [organizationId, one.workspace.id]) {
    await bench.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
      values ('fay', '${id}', 'member', 'viewer', 'ada')`)
  }
  const expected = [one, other]
  assert.deepEqual(
    idsOf(await all(WORKSPACE, 1, fay)),
    expected.map(({ workspace }) => workspace.id),
  )
  const figures = idsOf(await all(FIGURE, 1000, fay))
  assert.deepEqual(
    figures,
    expected.map(({ figure }) => figure.id),
  )
  assert.ok(!figures.includes(outside.figure.id))
})

test('pages through several workspaces lose and repeat nothing of one microsecond', async () => {
  for (let n = 0; n < 3; n++) {
    const { workspace } = await makeTree(bench)
    for (let m = 0; m < 4; m++) await make(bench, ANALYSIS, workspace.id)
  }
  await bench.query(`update node set created_on = '2026-11-21 12:00:00.000001+00'
    where type = 'analysis' and seq % 5 <> 0`)
  const rows = await bench.query<{ id: string }>(
    `select id from node where type = 'analysis' order by created_on, seq`,
  )
  const ids = rows.map((row) => row.id)
  assert.ok(ids.length >= 15)
  for (const pageSize of [1, 4, 7, 1000])
    assert.deepEqual(idsOf(await all(ANALYSIS, pageSize)), ids)
})

test('a deleted node and all below it are in no list', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id)
  await bench.client.deleteNode({ id: workspace.id }, ada)
  for (const { id, type } of [workspace, analysis, figure, revision]) {
    assert.ok(!idsOf(await all(type)).includes(id))
  }
})

test('anonymous is 401; a type is required, and a token of this list', async () => {
  for (const as of [nobody, system]) {
    await refused(bench.client.listNodes({}, as), unauthenticated)
    await refused(bench.client.listNodes({ type: WORKSPACE }, as), unauthenticated)
  }
  const bad = (field: string) => ({ code: 'InvalidArgument', field }) as const
  await refused(bench.client.listNodes({}, ada), bad('type'))
  const request = { type: WORKSPACE, pageToken: 'x' }
  await refused(bench.client.listNodes(request, ada), bad('page_token'))
})
