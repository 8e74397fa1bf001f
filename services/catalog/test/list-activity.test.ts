import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId, newOrderedId } from '@figbase/kit/ids'
import { actAs, user } from '@figbase/kit/rpc'
import { userWithKey } from '@figbase/kit/testing'
import { type ActivityEntry, type Node, Role } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ASSET,
  ada,
  assertError,
  bob,
  createNode,
  createRevision,
  createTree,
  denied,
  FIGURE,
  grant,
  nobody,
  notFound,
  ORGANIZATION,
  startTestCatalog,
  system,
  type TestCatalog,
  type Tree,
  unauthenticated,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog({ env: { ACTIVITY_SCAN_MAX: '30', ACTIVITY_COUNT_MAX: '5' } })
})
after(() => catalog[Symbol.asyncDispose]())

type View = { excludeDeleted?: boolean; deduplicate?: boolean; offset?: number; pageSize?: number }

const page = ({ id, type }: Pick<Node, 'id' | 'type'>, view: View = {}, as = ada) =>
  catalog.client.listActivity({ id, type, detailed: true, ...view }, as)

async function log(node: Pick<Node, 'id' | 'type'>, view: View = {}) {
  return (await page(node, view)).entries
}

const actionsOf = (entries: ActivityEntry[]) =>
  entries.map((one) => `${one.action} ${one.targetId}`)

/** The worked example of the specification: four creations, three updates, a deletion. */
async function workedExample(): Promise<Tree & { revision: Node }> {
  const tree = await createTree(catalog)
  const revision = await createRevision(catalog, tree.figure.id, [1n])
  for (const { id } of [tree.workspace, tree.figure]) {
    await catalog.client.updateNode({ id, name: 'renamed' }, ada)
  }
  await catalog.client.deleteNode({ id: revision.id }, ada)
  return { ...tree, revision }
}

test('each write is one entry in the logs of its path, newest first', async () => {
  const { workspace, analysis, figure, revision } = await workedExample()
  const inFigure = [
    `delete ${revision.id}`,
    `update ${figure.id}`,
    `create ${revision.id}`,
    `create ${figure.id}`,
  ]
  assert.deepEqual(actionsOf(await log(figure)), inFigure)
  assert.deepEqual(actionsOf(await log(analysis)), [...inFigure, `create ${analysis.id}`])
  assert.deepEqual(actionsOf(await log(workspace)), [
    `delete ${revision.id}`,
    `update ${figure.id}`,
    `update ${workspace.id}`,
    `create ${revision.id}`,
    `create ${figure.id}`,
    `create ${analysis.id}`,
    `create ${workspace.id}`,
  ])
})

test('an entry has actor, action, target, place and current state of the target', async () => {
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
      workspaceId: '',
      workspaceName: '',
    },
  )
  assert.deepEqual([update.targetName, update.targetDeleted], ['renamed', false])
  assert.equal(update.payloadJson, '{"name":"renamed"}')
  assert.equal(creation.payloadJson, '{"data":1,"position":0,"size_bytes":"1"}')
  const name = 'x'.repeat(500)
  await catalog.client.updateNode({ id: figure.id, description: `${name}!` }, ada)
  const [long] = await log(figure)
  assert.match(long?.payloadJson ?? '', /"chars":501/)
  await catalog.client.updateNode({ id: analysis.id, name }, ada)
  assert.equal((await log(workspace))[1]?.analysisName, name, 'the current name')
})

test('entries of live targets list revisions for thumbnails', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const first = await createRevision(catalog, figure.id, [], { position: 0 })
  const second = await createRevision(catalog, figure.id, [], { position: 1 })
  const entries = await log(workspace)
  const shown = entries.map((one) => [one.targetId, one.newestRevisionIds])
  const newest = [second.id, first.id]
  assert.deepEqual(shown, [
    [second.id, [second.id]],
    [first.id, [first.id]],
    ...[figure, analysis, workspace].map(({ id }) => [id, newest]),
  ])
  const brief = await catalog.client.listActivity({ id: workspace.id }, ada)
  assert.ok(brief.entries.every((one) => one.newestRevisionIds.length === 0))
  assert.equal(brief.totalCount, 0)
})

test('silent entries are hidden', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const entries = actionsOf(await log(workspace))
  const { node } = await catalog.client.createNode(
    { type: FIGURE, parentId: analysis.id, name: 'n', silent: true },
    ada,
  )
  assert.ok(node)
  await catalog.client.updateNode({ id: figure.id, name: 'other', silent: true }, ada)
  await createRevision(catalog, figure.id, [1n], { silent: true })
  await catalog.client.deleteNode({ id: node.id, silent: true }, ada)
  assert.deepEqual(actionsOf(await log(workspace)), entries)
  assert.deepEqual(actionsOf(await log(figure)), [`create ${figure.id}`])
  const [hidden] = await catalog.query<{ id: string }>(
    `select id from activity where target_id = '${figure.id}' and is_silent`,
  )
  const request = { id: workspace.id, entryId: hidden?.id ?? '' }
  await assertError(catalog.client.getActivity(request, ada), notFound)
})

test('a move is one entry in each place, and one in the logs of common ancestors', async () => {
  const from = await createTree(catalog)
  const to = await createNode(catalog, ANALYSIS, from.workspace.id)
  const revision = await createRevision(catalog, from.figure.id)
  await catalog.client.updateNode({ id: from.figure.id, parentId: to.id }, ada)
  const moved = `move ${from.figure.id}`
  const created = [`create ${revision.id}`, `create ${from.figure.id}`]
  assert.deepEqual(actionsOf(await log(from.figure)), [moved, ...created])
  assert.deepEqual(actionsOf(await log(to)), [moved, `create ${to.id}`])
  assert.deepEqual(actionsOf(await log(from.analysis)), [
    moved,
    ...created,
    `create ${from.analysis.id}`,
  ])
  const moves = (await log(from.workspace)).filter((one) => one.action === 'move')
  assert.equal(moves.length, 1)
  const { id: a } = from.analysis
  assert.equal(moves[0]?.payloadJson, `{"from":"${a}","to":"${to.id}"}`)
})

test('the log of the old place does not disclose later changes of a moved node', async () => {
  const from = await createTree(catalog)
  await createRevision(catalog, from.figure.id)
  const hidden = await createTree(catalog)
  await grant(catalog, 'bob', from.workspace, 'viewer')
  await catalog.client.updateNode({ id: from.figure.id, parentId: hidden.analysis.id }, ada)
  await catalog.client.updateNode({ id: from.figure.id, name: 'secret' }, ada)
  await catalog.client.updateNode({ id: hidden.analysis.id, name: 'secret' }, ada)
  const { entries } = await page(from.workspace, {}, bob)
  assert.equal(entries[0]?.action, 'move')
  for (const entry of entries) {
    assert.doesNotMatch(JSON.stringify([entry.targetName, entry.analysisName]), /secret/)
    assert.deepEqual(entry.newestRevisionIds, [])
  }
  assert.deepEqual(
    entries.filter((one) => one.targetType === 5).map((one) => one.targetName),
    [''],
    'a revision has the current name of its figure in the new place',
  )
})

test('the log of an organization keeps the entries of its former workspaces', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const parentId = organization.id
  const { node: workspace } = await catalog.client.createNode(
    { type: WORKSPACE, name: 'w', parentId },
    ada,
  )
  assert.ok(workspace)
  const analysis = await createNode(catalog, ANALYSIS, workspace.id)
  const inside = [`create ${analysis.id}`, `create ${workspace.id}`, `create ${parentId}`]
  assert.deepEqual(actionsOf(await log(organization)), inside)
  await catalog.client.updateNode({ id: workspace.id, parentId: '' }, ada)
  await catalog.client.updateNode({ id: analysis.id, name: 'outside' }, ada)
  const left = [`move ${workspace.id}`, ...inside]
  assert.deepEqual(actionsOf(await log(organization)), left)
  const other = await createNode(catalog, ORGANIZATION)
  await catalog.client.updateNode({ id: workspace.id, parentId: other.id }, ada)
  assert.deepEqual(actionsOf(await log(other)), [`move ${workspace.id}`, `create ${other.id}`])
  assert.deepEqual(actionsOf(await log(organization)), left)
  assert.equal((await log(workspace)).filter((one) => one.action === 'move').length, 2)
})

test('a plain member of an organization reads its whole log, also about workspaces that left it', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const [inside, former] = [
    await createNode(catalog, WORKSPACE, organization.id),
    await createNode(catalog, WORKSPACE, organization.id),
  ]
  const analysis = await createNode(catalog, ANALYSIS, inside.id)
  await grant(catalog, 'bob', organization, 'workspace_viewer')
  await catalog.client.updateNode({ id: former.id, parentId: '' }, ada)
  const { entries } = await page(organization, { deduplicate: true, excludeDeleted: true }, bob)
  assert.deepEqual(actionsOf(entries), [
    `move ${former.id}`,
    ...[analysis, inside, organization].map(({ id }) => `create ${id}`),
  ])
  const nodeIds = entries.map(({ targetId }) => targetId)
  const { nodes } = await catalog.client.listViewers({ nodeIds, usernames: ['bob'] }, system)
  const viewed = nodes.map(({ nodeId }) => nodeId)
  assert.deepEqual(new Set(viewed), new Set([analysis.id, inside.id, organization.id]))
})

test('assets have a log, and appear in that of their workspace', async () => {
  const { workspace } = await createTree(catalog)
  const asset = await createNode(catalog, ASSET, workspace.id)
  await catalog.client.updateNode({ id: asset.id, name: 'other' }, ada)
  const own = [`update ${asset.id}`, `create ${asset.id}`]
  assert.deepEqual(actionsOf(await log(asset)), own)
  assert.deepEqual(actionsOf(await log(workspace)).slice(0, 2), own)
})

test('omits entries of deleted targets and older entries of each target on request', async () => {
  const { workspace, analysis, figure, revision } = await workedExample()
  assert.deepEqual(actionsOf(await log(workspace, { excludeDeleted: true })), [
    `update ${figure.id}`,
    `update ${workspace.id}`,
    `create ${figure.id}`,
    `create ${analysis.id}`,
    `create ${workspace.id}`,
  ])
  const newest = [`update ${figure.id}`, `update ${workspace.id}`, `create ${analysis.id}`]
  assert.deepEqual(actionsOf(await log(workspace, { deduplicate: true })), [
    `delete ${revision.id}`,
    ...newest,
  ])
  const both = { deduplicate: true, excludeDeleted: true }
  assert.deepEqual(actionsOf(await log(workspace, both)), newest)
  await catalog.client.deleteNode({ id: analysis.id }, ada)
  const left = [`update ${workspace.id}`, `create ${workspace.id}`]
  assert.deepEqual(actionsOf(await log(workspace, { excludeDeleted: true })), left)
})

test('pages by token and by offset are complete without repetition; the count is bounded', async () => {
  const { workspace } = await workedExample()
  const all = actionsOf(await log(workspace))
  const byToken: string[] = []
  let pageToken = ''
  do {
    const request = { id: workspace.id, pageSize: 2, pageToken }
    const { entries, nextPageToken } = await catalog.client.listActivity(request, ada)
    assert.ok(entries.length <= 2)
    byToken.push(...actionsOf(entries))
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
  assert.deepEqual(await total(4, 2), [2, 7, true], 'counts up to the end of the page')
  assert.deepEqual(await total(5, 2), [2, 7, false])
  assert.deepEqual(await total(29, 2), [0, 7, false])
  assert.deepEqual(await total(0, 2, { deduplicate: true }), [2, 4, true])
  assert.deepEqual(actionsOf(await log(workspace, { offset: 3, pageSize: 2 })), all.slice(3, 5))
  for (const offset of [-1, 30]) {
    await assertError(page(workspace, { offset }), { code: 'InvalidArgument', field: 'offset' })
  }
  const bad = catalog.client.listActivity({ id: workspace.id, pageToken: 'x' }, ada)
  await assertError(bad, { code: 'InvalidArgument', field: 'page_token' })
})

test('scans only the newest ACTIVITY_SCAN_MAX entries', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  for (let n = 0; n < 31; n++) await catalog.client.updateNode({ id: figure.id, name: `${n}` }, ada)
  const { entries, nextPageToken } = await page(workspace)
  assert.deepEqual([entries.length, nextPageToken], [30, ''])
  assert.deepEqual(actionsOf(await log(workspace, { deduplicate: true })), [`update ${figure.id}`])
  assert.deepEqual(actionsOf(await log(analysis, { deduplicate: true, pageSize: 1 })), [
    `update ${figure.id}`,
  ])
})

test('an entry can be read in each log that contains it, even after its target was deleted', async () => {
  const { workspace, analysis, figure, revision } = await workedExample()
  const other = await createTree(catalog)
  const [deletion] = await log(workspace)
  assert.ok(deletion)
  const entryId = deletion.id
  for (const { id, type } of [workspace, analysis, figure]) {
    const { entry } = await catalog.client.getActivity({ id, type, entryId }, ada)
    assert.deepEqual(entry, deletion)
  }
  await assertError(catalog.client.getActivity({ id: other.workspace.id, entryId }, ada), notFound)
  for (const unknown of [newId(), newOrderedId(), 'x', '']) {
    const request = { id: workspace.id, entryId: unknown }
    await assertError(catalog.client.getActivity(request, ada), notFound)
  }
  await assertError(catalog.client.listActivity({ id: revision.id }, ada), notFound)
})

test('reading a log takes VIEW', async () => {
  const { workspace } = await createTree(catalog)
  const entryId = (await log(workspace))[0]?.id ?? ''
  await assertError(page(workspace, {}, bob), denied)
  await assertError(catalog.client.getActivity({ id: workspace.id, entryId }, bob), denied)
  await assertError(page({ id: newId(), type: WORKSPACE }), notFound)
  await assertError(page({ ...workspace, type: FIGURE }), notFound)
  for (const id of [workspace.id, newId(), 'x']) {
    await assertError(page({ id, type: WORKSPACE }, {}, nobody), unauthenticated)
    await assertError(catalog.client.getActivity({ id, entryId }, nobody), unauthenticated)
  }
})

test('entries of the system on behalf of a user are marked', async () => {
  await catalog.client.ensurePrimaryWorkspace({ username: 'ada' }, system)
  const rows = await catalog.query(
    `select actor, actor_kind, path from activity where target_id =
       (select id from node where workspace_type = 'primary' and created_by = 'ada')`,
  )
  const [{ actor, actor_kind, path } = { path: [] }] = rows as Record<string, string[]>[]
  assert.deepEqual([actor, actor_kind, path?.length], ['ada', 'system', 1])
})

test('an entry keeps the path at its time', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const to = await createTree(catalog)
  await catalog.client.updateNode({ id: figure.id, parentId: to.analysis.id }, ada)
  const rows = await catalog.query<{ action: string; path: string[]; is_departure: boolean }>(
    `select action, path, is_departure from activity where target_id = '${figure.id}' order by seq`,
  )
  const before = [workspace.id, analysis.id, figure.id]
  assert.deepEqual(rows, [
    { action: 'create', path: before, is_departure: false },
    { action: 'move', path: before, is_departure: true },
    { action: 'move', path: [to.workspace.id, to.analysis.id, figure.id], is_departure: false },
  ])
})

test('the activity of a member is that of all their workspaces, newest first, and of no other', async () => {
  const fay = actAs(user('fay'))
  const organization = await createNode(catalog, ORGANIZATION)
  const governed = await createNode(catalog, WORKSPACE, organization.id)
  const [own, deleted, foreign] = [
    await createTree(catalog),
    await createTree(catalog),
    await createTree(catalog),
  ]
  for (const [{ id, type }, role] of [
    [own.workspace, Role.VIEWER],
    [deleted.workspace, Role.CREATOR],
    [organization, Role.WORKSPACE_VIEWER],
  ] as const) {
    await catalog.client.addMember({ id, type, member: { username: 'fay', role } }, ada)
  }
  await catalog.client.setUserShare({ id: foreign.figure.id, username: 'fay', enabled: true }, ada)
  await catalog.client.deleteNode({ id: deleted.workspace.id, type: WORKSPACE }, ada)
  const last = await createNode(catalog, ANALYSIS, governed.id)
  const expected = [
    `create ${last.id}`,
    ...[own.figure, own.analysis, own.workspace].map(({ id }) => `create ${id}`),
    `create ${governed.id}`,
  ]
  const all = async (pageSize: number, as = fay) => {
    const found: ActivityEntry[] = []
    let pageToken = ''
    do {
      const page = await catalog.client.listMemberActivity({ pageSize, pageToken }, as)
      assert.ok(page.entries.length <= pageSize)
      found.push(...page.entries)
      pageToken = page.nextPageToken
    } while (pageToken)
    return found
  }
  for (const pageSize of [1, 2, 5, 100]) {
    assert.deepEqual(actionsOf(await all(pageSize)), expected)
  }
  const [newest] = await all(5)
  assert.deepEqual([newest?.workspaceId, newest?.workspaceName], [governed.id, 'a name'])
  const one = actAs(userWithKey('fay', own.workspace.id))
  assert.deepEqual(actionsOf(await all(5, one)), expected.slice(1, 4))
  const { id, type } = own.workspace
  await catalog.client.removeMember({ id, type, username: 'fay' }, fay)
  assert.deepEqual(actionsOf(await all(5)), [expected[0], expected[4]])
  await assertError(catalog.client.listMemberActivity({}, nobody), unauthenticated)
  const bad = catalog.client.listMemberActivity({ pageToken: 'x' }, fay)
  await assert.rejects(bad, /page_token: is not a page token of this list/)
})
