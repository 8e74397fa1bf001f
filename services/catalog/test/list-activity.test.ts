import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId, newOrderedId } from '@figbase/kit'
import type { ActivityEntry, Node } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ASSET,
  ada,
  type Bench,
  bob,
  denied,
  FIGURE,
  grant,
  make,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  ORGANIZATION,
  refused,
  startBench,
  system,
  type Tree,
  unauthenticated,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench({ env: { ACTIVITY_SCAN_MAX: '30', ACTIVITY_COUNT_MAX: '5' } })
})
after(() => bench[Symbol.asyncDispose]())

type View = { excludeDeleted?: boolean; deduplicate?: boolean; offset?: number; pageSize?: number }

const page = ({ id, type }: Pick<Node, 'id' | 'type'>, view: View = {}, as = ada) =>
  bench.client.listActivity({ id, type, detailed: true, ...view }, as)

async function log(node: Pick<Node, 'id' | 'type'>, view: View = {}) {
  return (await page(node, view)).entries
}

const told = (entries: ActivityEntry[]) => entries.map((one) => `${one.action} ${one.targetId}`)

/** The worked example of the specification: four creations, three updates, a deletion. */
async function workedExample(): Promise<Tree & { revision: Node }> {
  const tree = await makeTree(bench)
  const revision = await makeRevision(bench, tree.figure.id, [1n])
  for (const { id } of [tree.workspace, tree.figure]) {
    await bench.client.updateNode({ id, name: 'renamed' }, ada)
  }
  await bench.client.deleteNode({ id: revision.id }, ada)
  return { ...tree, revision }
}

test('each request is one entry in the logs of its path, newest first', async () => {
  const { workspace, analysis, figure, revision } = await workedExample()
  const inFigure = [
    `delete ${revision.id}`,
    `update ${figure.id}`,
    `create ${revision.id}`,
    `create ${figure.id}`,
  ]
  assert.deepEqual(told(await log(figure)), inFigure)
  assert.deepEqual(told(await log(analysis)), [...inFigure, `create ${analysis.id}`])
  assert.deepEqual(told(await log(workspace)), [
    `delete ${revision.id}`,
    `update ${figure.id}`,
    `update ${workspace.id}`,
    `create ${revision.id}`,
    `create ${figure.id}`,
    `create ${analysis.id}`,
    `create ${workspace.id}`,
  ])
})

test('an entry tells who did what to whom, where, and what has become of it', async () => {
  const { workspace, analysis, figure, revision } = await workedExample()
  const [deletion, update, , creation] = await log(workspace)
  assert.ok(deletion && update && creation)
  const { id: _, at, newestRevisionIds, ...rest } = deletion
  assert.deepEqual(newestRevisionIds, [])
  assert.ok(at)
  assert.deepEqual(
    { ...rest },
    {
      $typeName: 'figbase.catalog.v1.ActivityEntry',
      actor: 'ada',
      actorKind: 'user',
      action: 'delete',
      targetId: revision.id,
      targetType: revision.type,
      targetName: 'renamed',
      targetDeleted: true,
      analysisId: analysis.id,
      analysisName: 'a name',
      payloadJson: '{"size_bytes":"1"}',
    },
  )
  assert.deepEqual([update.targetName, update.targetDeleted], ['renamed', false])
  assert.equal(update.payloadJson, '{"name":"renamed"}')
  assert.equal(creation.payloadJson, '{"data":1,"position":0,"size_bytes":"1"}')
  const name = 'x'.repeat(500)
  await bench.client.updateNode({ id: figure.id, description: `${name}!` }, ada)
  const [long] = await log(figure)
  assert.match(long?.payloadJson ?? '', /"chars":501/)
  await bench.client.updateNode({ id: analysis.id, name }, ada)
  assert.equal((await log(workspace))[1]?.analysisName, name, 'as it is called now')
})

test('entries of live targets name the revisions that may show them', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const first = await makeRevision(bench, figure.id, [], { position: 0 })
  const second = await makeRevision(bench, figure.id, [], { position: 1 })
  const entries = await log(workspace)
  const shown = entries.map((one) => [one.targetId, one.newestRevisionIds])
  const newest = [second.id, first.id]
  assert.deepEqual(shown, [
    [second.id, [second.id]],
    [first.id, [first.id]],
    ...[figure, analysis, workspace].map(({ id }) => [id, newest]),
  ])
  const brief = await bench.client.listActivity({ id: workspace.id }, ada)
  assert.ok(brief.entries.every((one) => one.newestRevisionIds.length === 0))
  assert.equal(brief.totalCount, 0)
})

test('what is silent is in no view', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const entries = told(await log(workspace))
  const { node } = await bench.client.createNode(
    { type: FIGURE, parentId: analysis.id, name: 'n', silent: true },
    ada,
  )
  assert.ok(node)
  await bench.client.updateNode({ id: figure.id, name: 'other', silent: true }, ada)
  await makeRevision(bench, figure.id, [1n], { silent: true })
  await bench.client.deleteNode({ id: node.id, silent: true }, ada)
  assert.deepEqual(told(await log(workspace)), entries)
  assert.deepEqual(told(await log(figure)), [`create ${figure.id}`])
  const [hidden] = await bench.query<{ id: string }>(
    `select id from activity where target_id = '${figure.id}' and is_silent`,
  )
  const request = { id: workspace.id, entryId: hidden?.id ?? '' }
  await refused(bench.client.getActivity(request, ada), notFound)
})

test('a move is one entry in each place, and one in the log of what holds both', async () => {
  const from = await makeTree(bench)
  const to = await make(bench, ANALYSIS, from.workspace.id)
  const revision = await makeRevision(bench, from.figure.id)
  await bench.client.updateNode({ id: from.figure.id, parentId: to.id }, ada)
  const moved = `move ${from.figure.id}`
  const created = [`create ${revision.id}`, `create ${from.figure.id}`]
  assert.deepEqual(told(await log(from.figure)), [moved, ...created])
  assert.deepEqual(told(await log(to)), [moved, `create ${to.id}`])
  assert.deepEqual(told(await log(from.analysis)), [
    moved,
    ...created,
    `create ${from.analysis.id}`,
  ])
  const moves = (await log(from.workspace)).filter((one) => one.action === 'move')
  assert.equal(moves.length, 1)
  const { id: a } = from.analysis
  assert.equal(moves[0]?.payloadJson, `{"from":"${a}","to":"${to.id}"}`)
})

test('the log of the place that something left tells nothing new of it', async () => {
  const from = await makeTree(bench)
  await makeRevision(bench, from.figure.id)
  const hidden = await makeTree(bench)
  await grant(bench, 'bob', from.workspace, 'viewer')
  await bench.client.updateNode({ id: from.figure.id, parentId: hidden.analysis.id }, ada)
  await bench.client.updateNode({ id: from.figure.id, name: 'secret' }, ada)
  await bench.client.updateNode({ id: hidden.analysis.id, name: 'secret' }, ada)
  const { entries } = await page(from.workspace, {}, bob)
  assert.equal(entries[0]?.action, 'move')
  for (const entry of entries) {
    assert.doesNotMatch(JSON.stringify([entry.targetName, entry.analysisName]), /secret/)
    assert.deepEqual(entry.newestRevisionIds, [])
  }
  assert.deepEqual(
    entries.filter((one) => one.targetType === 5).map((one) => one.targetName),
    [''],
    'a revision goes by the name that its figure has now, elsewhere',
  )
})

test('the log of an organization holds what happened in it, and keeps it', async () => {
  const organization = await make(bench, ORGANIZATION)
  const parentId = organization.id
  const { node: workspace } = await bench.client.createNode(
    { type: WORKSPACE, name: 'w', parentId },
    ada,
  )
  assert.ok(workspace)
  const analysis = await make(bench, ANALYSIS, workspace.id)
  const inside = [`create ${analysis.id}`, `create ${workspace.id}`, `create ${parentId}`]
  assert.deepEqual(told(await log(organization)), inside)
  await bench.client.updateNode({ id: workspace.id, parentId: '' }, ada)
  await bench.client.updateNode({ id: analysis.id, name: 'outside' }, ada)
  const left = [`move ${workspace.id}`, ...inside]
  assert.deepEqual(told(await log(organization)), left)
  const other = await make(bench, ORGANIZATION)
  await bench.client.updateNode({ id: workspace.id, parentId: other.id }, ada)
  assert.deepEqual(told(await log(other)), [`move ${workspace.id}`, `create ${other.id}`])
  assert.deepEqual(told(await log(organization)), left)
  assert.equal((await log(workspace)).filter((one) => one.action === 'move').length, 2)
})

test('assets have their log, in their workspace', async () => {
  const { workspace } = await makeTree(bench)
  const asset = await make(bench, ASSET, workspace.id)
  await bench.client.updateNode({ id: asset.id, name: 'other' }, ada)
  const own = [`update ${asset.id}`, `create ${asset.id}`]
  assert.deepEqual(told(await log(asset)), own)
  assert.deepEqual(told(await log(workspace)).slice(0, 2), own)
})

test('entries of deleted targets, and all but the newest of each, are left out on request', async () => {
  const { workspace, analysis, figure, revision } = await workedExample()
  assert.deepEqual(told(await log(workspace, { excludeDeleted: true })), [
    `update ${figure.id}`,
    `update ${workspace.id}`,
    `create ${figure.id}`,
    `create ${analysis.id}`,
    `create ${workspace.id}`,
  ])
  const newest = [`update ${figure.id}`, `update ${workspace.id}`, `create ${analysis.id}`]
  assert.deepEqual(told(await log(workspace, { deduplicate: true })), [
    `delete ${revision.id}`,
    ...newest,
  ])
  const both = { deduplicate: true, excludeDeleted: true }
  assert.deepEqual(told(await log(workspace, both)), newest)
  await bench.client.deleteNode({ id: analysis.id }, ada)
  const left = [`update ${workspace.id}`, `create ${workspace.id}`]
  assert.deepEqual(told(await log(workspace, { excludeDeleted: true })), left)
})

test('pages by token and by offset show the whole, once; counting ends at its bound', async () => {
  const { workspace } = await workedExample()
  const all = told(await log(workspace))
  const byToken: string[] = []
  let pageToken = ''
  do {
    const request = { id: workspace.id, pageSize: 2, pageToken }
    const { entries, nextPageToken } = await bench.client.listActivity(request, ada)
    assert.ok(entries.length <= 2)
    byToken.push(...told(entries))
    pageToken = nextPageToken
  } while (pageToken)
  assert.deepEqual(byToken, all)
  const total = async (offset: number, pageSize: number, view: View = {}) => {
    const { entries, totalCount, nextPageToken } = await page(workspace, {
      offset,
      pageSize,
      ...view,
    })
    return [entries.length, totalCount, nextPageToken !== '']
  }
  assert.deepEqual(await total(0, 2), [2, 5, true], 'ACTIVITY_COUNT_MAX')
  assert.deepEqual(await total(4, 2), [2, 7, true], 'the end of the page is counted')
  assert.deepEqual(await total(5, 2), [2, 7, false])
  assert.deepEqual(await total(29, 2), [0, 7, false])
  assert.deepEqual(await total(0, 2, { deduplicate: true }), [2, 4, true])
  assert.deepEqual(told(await log(workspace, { offset: 3, pageSize: 2 })), all.slice(3, 5))
  for (const offset of [-1, 30]) {
    await refused(page(workspace, { offset }), { code: 'InvalidArgument', field: 'offset' })
  }
  const bad = bench.client.listActivity({ id: workspace.id, pageToken: 'x' }, ada)
  await refused(bad, { code: 'InvalidArgument', field: 'page_token' })
})

test('of a log longer than the bound, the newest entries are looked at', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  for (let n = 0; n < 31; n++) await bench.client.updateNode({ id: figure.id, name: `${n}` }, ada)
  const { entries, nextPageToken } = await page(workspace)
  assert.deepEqual([entries.length, nextPageToken], [30, ''])
  assert.deepEqual(told(await log(workspace, { deduplicate: true })), [`update ${figure.id}`])
  assert.deepEqual(told(await log(analysis, { deduplicate: true, pageSize: 1 })), [
    `update ${figure.id}`,
  ])
})

test('one entry is read in the logs that it stands in, also when its target is gone', async () => {
  const { workspace, analysis, figure, revision } = await workedExample()
  const other = await makeTree(bench)
  const [deletion] = await log(workspace)
  assert.ok(deletion)
  const entryId = deletion.id
  for (const { id, type } of [workspace, analysis, figure]) {
    const { entry } = await bench.client.getActivity({ id, type, entryId }, ada)
    assert.deepEqual(entry, deletion)
  }
  await refused(bench.client.getActivity({ id: other.workspace.id, entryId }, ada), notFound)
  for (const unknown of [newId(), newOrderedId(), 'x', '']) {
    const request = { id: workspace.id, entryId: unknown }
    await refused(bench.client.getActivity(request, ada), notFound)
  }
  await refused(bench.client.listActivity({ id: revision.id }, ada), notFound)
})

test('a log is for whoever may view its object', async () => {
  const { workspace } = await makeTree(bench)
  const entryId = (await log(workspace))[0]?.id ?? ''
  await refused(page(workspace, {}, bob), denied)
  await refused(bench.client.getActivity({ id: workspace.id, entryId }, bob), denied)
  await refused(page({ id: newId(), type: WORKSPACE }), notFound)
  await refused(page({ ...workspace, type: FIGURE }), notFound)
  for (const id of [workspace.id, newId(), 'x']) {
    await refused(page({ id, type: WORKSPACE }, {}, nobody), unauthenticated)
    await refused(bench.client.getActivity({ id, entryId }, nobody), unauthenticated)
  }
})

test('what the system makes for somebody is told apart', async () => {
  await bench.client.ensurePrimaryWorkspace({ username: 'ada' }, system)
  const rows = await bench.query(
    `select actor, actor_kind, path from activity where target_id =
       (select id from node where workspace_type = 'primary' and created_by = 'ada')`,
  )
  const [{ actor, actor_kind, path } = { path: [] }] = rows as Record<string, string[]>[]
  assert.deepEqual([actor, actor_kind, path?.length], ['ada', 'system', 1])
})

test('an entry keeps the path of its time', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const to = await makeTree(bench)
  await bench.client.updateNode({ id: figure.id, parentId: to.analysis.id }, ada)
  const rows = await bench.query<{ action: string; path: string[]; is_departure: boolean }>(
    `select action, path, is_departure from activity where target_id = '${figure.id}' order by seq`,
  )
  const before = [workspace.id, analysis.id, figure.id]
  assert.deepEqual(rows, [
    { action: 'create', path: before, is_departure: false },
    { action: 'move', path: before, is_departure: true },
    { action: 'move', path: [to.workspace.id, to.analysis.id, figure.id], is_departure: false },
  ])
})
