import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import { type Node, type NodeType, Permission } from '@figbase/proto/catalog'
import { userNamed } from '../src/domain/subject.js'
import { claimDeletions, firstDeletion, listDeletedNodes } from '../src/queries/deleted-nodes.js'
import { findDeleted } from '../src/queries/nodes.js'
import { restoreTree } from '../src/restoring.js'
import {
  ANALYSIS,
  ASSET,
  ada,
  type Bench,
  bob,
  contents,
  cyd,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
  grant,
  logOf,
  make,
  makeAssetRevision,
  makeRevision,
  makeTree,
  microsOf,
  nobody,
  notFound,
  ORGANIZATION,
  refused,
  startBench,
  system,
  unauthenticated,
  updateContent,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench({ env: { CHILDREN_MAX: '4' } })
})
after(() => bench[Symbol.asyncDispose]())

const remove = ({ id }: Node) => bench.client.deleteNode({ id }, ada)
const restore = ({ id, type }: Node, as = ada) => bench.client.restoreNode({ id, type }, as)
const find = ({ id, type }: Node, on = bench) => on.client.getNode({ id, type }, ada)
const because = (error: string) => ({ code: 'FailedPrecondition', error }) as const

const deletionsIn = async ({ id, type }: Node, as = ada) =>
  (await bench.client.listDeletions({ id, type }, as)).deletions
const deletedContainers = async (type: NodeType, as = ada) =>
  (await bench.client.listDeletions({ type }, as)).deletions
const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id)

/** All that is answered about a node and what is below it. */
async function everything({ id, type }: Node) {
  const { node } = await bench.client.getNode({ id, type, withParent: true }, ada)
  const nodes = []
  const leaves = []
  for await (const page of bench.client.listDescendants({ id, type }, ada)) {
    leaves.push(...page.dataIds)
    for (const { id, type } of page.nodes) {
      nodes.push((await bench.client.getNode({ id, type }, ada)).node)
    }
  }
  const grants = await bench.query(`
    select g.* from access_grant g join node n on n.id = g.node_id
     where '${id}' = any(n.lineage) order by g.seq`)
  return { node, nodes, leaves, grants }
}

/** A workspace with something of each kind, shared, updated, and with something that was deleted in it. */
async function makeFull() {
  const { workspace, analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id, [100n, 20n])
  const other = await makeRevision(bench, figure.id, [3n])
  const asset = await make(bench, ASSET, workspace.id)
  const data = await makeAssetRevision(bench, asset.id, [7n])
  const scoped = await bench.client.createNode(
    { type: ASSET, parentId: workspace.id, name: 'scoped', scopeId: analysis.id },
    ada,
  )
  assert.ok(scoped.node)
  await updateContent(bench, revision.id, { sizes: [50n, 5n] })
  await bench.client.updateNode({ id: figure.id, name: 'renamed' }, ada)
  for (const { id, type } of [analysis, figure, revision]) {
    await bench.client.setUserShare({ id, type, username: 'bob', enabled: true }, ada)
    await bench.client.setLinkShare({ id, type, enabled: true }, ada)
  }
  await remove(other)
  return { workspace, analysis, figure, revision, other, asset, data, scoped: scoped.node }
}

for (const kind of ['revision', 'figure', 'analysis', 'asset', 'workspace'] as const) {
  test(`what a ${kind} was and held comes back with it, and its ancestors count it again`, async () => {
    const tree = await makeFull()
    const { workspace, scoped } = tree
    await bench.fold()
    const target = tree[kind]
    const [before, root] = [await everything(target), await get(bench, workspace)]
    const overview = await bench.client.getOverview({ workspaceId: workspace.id }, ada)
    await remove(target)
    await bench.fold()
    await refused(find(target), notFound)
    await restore(target)

    assert.deepEqual(await everything(target), before)
    const after = await get(bench, workspace)
    const { childUpdatedOn, childUpdatedBy, ...rest } = after
    const { childUpdatedOn: old, childUpdatedBy: _, ...known } = root
    assert.deepEqual(rest, known)
    assert.deepEqual(await bench.client.getOverview({ workspaceId: workspace.id }, ada), overview)
    assert.equal((await get(bench, scoped)).scopeId, tree.analysis.id)
    if (kind !== 'workspace') {
      assert.equal(childUpdatedBy, 'ada')
      assert.ok(childUpdatedOn && old)
      assert.ok(
        microsOf({ ...after, createdOn: childUpdatedOn }) > microsOf({ ...after, createdOn: old }),
      )
    }
    await bench.fold()
    assert.deepEqual(await get(bench, workspace), after)
    const { id, type } = target
    await bench.client.checkAccess({ id, type, permission: Permission.VIEW }, ada)
  })
}

test('an entry of the log and an event tell of it, and what was said of its deletion stays', async () => {
  const { figure, workspace, analysis } = await makeTree(bench)
  await remove(figure)
  await restore(figure)
  const log = await logOf(bench, figure.id)
  assert.deepEqual(
    log.map(({ action, actor, workspace_id, analysis_id, figure_id, target_name }) => [
      ...[action, actor, target_name],
      [workspace_id, analysis_id, figure_id],
    ]),
    ['create', 'delete', 'restore'].map((action) => [
      ...[action, 'ada', 'a name'],
      [workspace.id, analysis.id, figure.id],
    ]),
  )
  const { entries } = await bench.client.listActivity(
    { id: workspace.id, type: WORKSPACE, pageSize: 1 },
    ada,
  )
  assert.deepEqual(
    entries.map((entry) => [entry.action, entry.targetId, entry.targetDeleted]),
    [['restore', figure.id, false]],
  )
  const events = await bench.query<{ action: string }>(`
    select e.message -> 'payload' ->> 'action' as action
      from (select seq, message from outbox union all select seq, message from outbox_sent) e
     where e.message -> 'payload' ->> 'nodeId' = '${figure.id}' order by e.seq`)
  assert.equal(events.at(-1)?.action, 'NODE_ACTION_RESTORE')
  await remove(figure)
  await bench.client.restoreNode({ id: figure.id, silent: true }, ada)
  assert.equal((await logOf(bench, figure.id)).at(-1)?.is_silent, true)
})

test('401, 404, 403, in this order, and nothing is written', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  await bench.client.setUserShare(
    { id: figure.id, type: FIGURE, username: 'bob', enabled: true },
    ada,
  )
  await grant(bench, 'cyd', workspace, 'viewer')
  await remove(figure)
  const untouched = await contents(bench)
  const { id } = figure
  for (const other of [id, newId(), 'x']) {
    await refused(bench.client.restoreNode({ id: other }, nobody), unauthenticated)
  }
  for (const other of [newId(), 'x']) {
    await refused(bench.client.restoreNode({ id: other }, ada), notFound)
  }
  await refused(bench.client.restoreNode({ id, type: ANALYSIS }, ada), notFound)
  for (const as of [bob, cyd]) await refused(restore(figure, as), denied)
  await refused(restore(analysis, ada), because('not_deleted'))
  assert.deepEqual(await contents(bench), untouched)
})

test('of restorations at the same time one succeeds, and the size comes once', async () => {
  const { workspace, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id, [7n])
  await remove(figure)
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => restore(figure)))
  assert.equal(outcomes.filter((one) => one.status === 'fulfilled').length, 1)
  for (const one of outcomes) {
    if (one.status === 'rejected') await refused(Promise.reject(one.reason), because('not_deleted'))
  }
  assert.equal((await get(bench, workspace)).sizeBytes, 7n)
  await get(bench, revision)
})

test('what was deleted before its parent waits for that, stays deleted, and then comes back', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id, [7n])
  const other = await makeRevision(bench, figure.id, [1n])
  await remove(revision)
  await remove(analysis)
  for (const below of [revision, other, figure]) {
    await refused(restore(below), because('parent_deleted'))
  }
  await assert.rejects(restore(revision), new RegExp(`analysis .*"a name" \\(${analysis.id}\\)`))
  await remove(workspace)
  await assert.rejects(restore(analysis), new RegExp(`workspace .*\\(${workspace.id}\\)`))
  await restore(workspace)
  await restore(analysis)
  await refused(find(revision), notFound)
  assert.equal((await get(bench, workspace)).sizeBytes, 1n)
  await restore(revision)
  assert.equal((await get(bench, workspace)).sizeBytes, 8n)
  await refused(restore(other), because('not_deleted'))
})

test('what was in something that was moved waits until that is back', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id, [7n])
  const elsewhere = await make(bench, WORKSPACE)
  await remove(revision)
  const [row] = await deletionsIn(workspace)
  assert.equal(row?.id, revision.id)
  const moveTo = (parentId: string) => bench.client.updateNode({ id: analysis.id, parentId }, ada)
  await moveTo(elsewhere.id)
  const untouched = await contents(bench)
  await refused(restore(revision), because('parent_moved'))
  assert.deepEqual(await contents(bench), untouched)
  assert.deepEqual(await deletionsIn(elsewhere), [], 'its name is not for those who are there')
  await moveTo(workspace.id)
  await restore(revision)
  assert.equal((await get(bench, workspace)).sizeBytes, 7n)
})

test('a parent that is full takes nothing back, an organization neither', async () => {
  const { analysis, figure } = await makeTree(bench)
  await remove(figure)
  for (let i = 0; i < 4; i++) await make(bench, FIGURE, analysis.id)
  await refused(restore(figure), because('too_many_children'))
  const organization = await make(bench, ORGANIZATION)
  const workspace = await make(bench, WORKSPACE, organization.id)
  await remove(workspace)
  for (let i = 0; i < 4; i++) await make(bench, WORKSPACE, organization.id)
  await refused(restore(workspace), because('too_many_children'))
})

test('lists tell newest first who deleted what and until when it comes back, and nothing below', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id)
  const asset = await make(bench, ASSET, workspace.id)
  await grant(bench, 'bob', workspace, 'creator')
  await grant(bench, 'cyd', workspace, 'viewer')
  await remove(revision)
  await bench.client.deleteNode({ id: asset.id }, bob)
  await remove(analysis)
  const rows = await deletionsIn(workspace)
  assert.deepEqual(
    rows.map(({ id, type, name, deletedBy }) => [id, type, name, deletedBy]),
    [
      [analysis.id, ANALYSIS, 'a name', 'ada'],
      [asset.id, ASSET, 'a name', 'bob'],
      [revision.id, FIGURE_REVISION, 'a name', 'ada'],
    ],
  )
  for (const { id, deletedOn, restorableUntil } of rows) {
    assert.ok(deletedOn && restorableUntil)
    assert.equal(restorableUntil.seconds - deletedOn.seconds, 30n * 24n * 3600n)
    const [tombstone] = await bench.query<{ is_same: boolean }>(
      `select deleted_on = to_timestamp(${deletedOn.seconds}) + ${deletedOn.nanos / 1000} * interval '1 us'
                as is_same from tombstone where node_id = '${id}'`,
    )
    assert.equal(tombstone?.is_same, true)
  }
  assert.deepEqual(await deletionsIn(workspace, bob), rows)
  await refused(deletionsIn(workspace, cyd), denied)
  await refused(deletionsIn(workspace, nobody), unauthenticated)
  const page = { id: workspace.id, type: WORKSPACE, pageSize: 1, offset: 1 }
  assert.deepEqual((await bench.client.listDeletions(page, ada)).deletions, rows.slice(1, 2))
  await restore(asset, bob)
  assert.deepEqual(idsOf(await deletionsIn(workspace)), [analysis.id, revision.id])
  for (const type of [FIGURE, 0]) {
    const odd = { code: 'InvalidArgument', field: 'type' } as const
    await refused(bench.client.listDeletions({ id: figure.id, type }, ada), odd)
  }
})

test('who may delete workspaces and organizations finds them, and brings them back', async () => {
  const organization = await make(bench, ORGANIZATION)
  const [kept, gone] = [
    await make(bench, WORKSPACE, organization.id),
    await make(bench, WORKSPACE, organization.id),
  ]
  await grant(bench, 'bob', organization, 'org_admin')
  await grant(bench, 'cyd', organization, 'workspace_admin')
  await remove(gone)
  assert.deepEqual(idsOf(await deletionsIn(organization, bob)), [gone.id])
  assert.ok(idsOf(await deletedContainers(WORKSPACE)).includes(gone.id))
  assert.deepEqual(idsOf(await deletedContainers(WORKSPACE, bob)), [gone.id])
  assert.deepEqual(await deletedContainers(WORKSPACE, cyd), [])
  await refused(deletionsIn(organization, cyd), denied)
  await refused(restore(gone, cyd), denied)
  await restore(gone, bob)
  assert.equal((await get(bench, gone)).parentId, organization.id)

  await remove(organization)
  assert.deepEqual(idsOf(await deletedContainers(ORGANIZATION, bob)), [organization.id])
  await refused(restore(organization, cyd), denied)
  await restore(organization, bob)
  const { nodes } = await bench.client.listChildren(
    { parentId: organization.id, type: WORKSPACE },
    ada,
  )
  assert.deepEqual(idsOf(nodes), [kept.id, gone.id])
})

test('an organization gets its workspaces back, but for those that went into another one since', async () => {
  const organization = await make(bench, ORGANIZATION)
  const other = await make(bench, ORGANIZATION)
  const make3 = () => make(bench, WORKSPACE, organization.id)
  const [stays, leaves, returns, deleted] = [
    await make3(),
    await make3(),
    await make3(),
    await make3(),
  ]
  await remove(organization)
  assert.equal((await get(bench, stays)).parentId, '')
  const put = ({ id }: Node, parentId: string) =>
    bench.client.updateNode({ id, type: WORKSPACE, parentId }, ada)
  await put(leaves, other.id)
  await put(returns, other.id)
  await put(returns, '')
  await remove(deleted)
  await restore(organization)
  const parents = await Promise.all([stays, leaves, returns].map((one) => get(bench, one)))
  assert.deepEqual(
    parents.map((node) => node.parentId),
    [organization.id, other.id, ''],
  )
  await restore(deleted)
  assert.equal((await get(bench, deleted)).parentId, organization.id)
  assert.deepEqual(await bench.query('select * from dissolved_workspace'), [])
})

test('limits of the plan hold: refused, nothing is written, and it comes when there is room', async () => {
  await using own = await startBench()
  await own.query('update plan set max_storage_bytes = 10, max_users = 2 where is_default')
  const { workspace, figure } = await makeTree(own)
  const revision = await makeRevision(own, figure.id, [6n])
  await own.client.deleteNode({ id: revision.id }, ada)
  const instead = await makeRevision(own, figure.id, [5n])
  const untouched = await contents(own)
  const call = () => own.client.restoreNode({ id: revision.id }, ada)
  await refused(call(), { code: 'PermissionDenied', error: 'max_storage_bytes' })
  assert.deepEqual(await contents(own), untouched)
  await own.client.deleteNode({ id: instead.id }, ada)
  await call()
  assert.equal((await get(own, workspace)).sizeBytes, 6n)

  const organization = await make(own, ORGANIZATION)
  const first = await make(own, WORKSPACE, organization.id)
  await grant(own, 'bob', first, 'viewer')
  await own.client.deleteNode({ id: first.id }, ada)
  const second = await make(own, WORKSPACE, organization.id)
  await grant(own, 'cyd', second, 'viewer')
  const tooMany = { code: 'PermissionDenied', error: 'max_users' } as const
  await refused(own.client.restoreNode({ id: first.id }, ada), tooMany)
  await own.query(`update plan set max_users = 3 where is_default`)
  await own.client.restoreNode({ id: first.id }, ada)
  await own.client.deleteNode({ id: organization.id }, ada)
  await own.query(`update plan set max_users = 2 where is_default`)
  await refused(own.client.restoreNode({ id: organization.id }, ada), tooMany)
  await own.query(`update plan set max_users = null where is_default`)
  await own.client.restoreNode({ id: organization.id }, ada)
})

test('nobody brings back what went with somebody who left, whoever governs it again', async () => {
  await using own = await startBench()
  const organization = await make(own, ORGANIZATION)
  await grant(own, 'bob', organization, 'org_admin')
  const workspace = await make(own, WORKSPACE, organization.id)
  const restoreHere = ({ id }: Node, as = ada) => own.client.restoreNode({ id }, as)
  await own.client.deleteNode({ id: organization.id }, bob)
  await own.people.leave({ username: 'ada' }, system)
  await refused(restoreHere(workspace), denied)
  assert.deepEqual((await own.client.listDeletions({ type: WORKSPACE }, ada)).deletions, [])
  await restoreHere(organization, bob)
  assert.deepEqual((await own.client.listDeletions({ type: WORKSPACE }, bob)).deletions, [])
  await refused(restoreHere(workspace, bob), because('already_purged'))
})

/** As if it had been deleted that long ago. */
const age = async ({ id }: Node, interval: string, on = bench) => {
  await on.query(`with t as (
    update tombstone set deleted_on = now() - interval '${interval}' where node_id = '${id}'
    returning node_id, deleted_on
  ) update node n set deleted_on = t.deleted_on from t where n.id = t.node_id`)
}

test('after its time, and once its purge began, nothing comes back, and it is in no list', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id)
  await remove(revision)
  await remove(analysis)
  await age(revision, '29 days 23 hours')
  assert.deepEqual(idsOf(await deletionsIn(workspace)), [analysis.id, revision.id])
  await age(revision, '30 days 1 second')
  assert.deepEqual(idsOf(await deletionsIn(workspace)), [analysis.id])
  await refused(restore(revision), because('already_purged'))
  await bench.query(`update tombstone set purge_began_on = now() where node_id = '${analysis.id}'`)
  assert.deepEqual(await deletionsIn(workspace), [])
  await refused(restore(analysis), because('already_purged'))
})

const purgeable = async (on: Bench) => {
  const types = [FIGURE, FIGURE_REVISION]
  return (await on.client.listDeletedNodes({ types }, system)).ids
}

test('a purge that comes while something is restored waits for it, and leaves it alone', async () => {
  await using own = await startBench()
  const { figure } = await makeTree(own)
  await own.client.deleteNode({ id: figure.id }, ada)
  await age(figure, '1 hour', own)
  const { ctx } = own
  const subject = userNamed('ada')
  const by = { actor: 'ada', actorKind: 'user', requestId: '', isSilent: false } as const
  const purge = () => ctx.write((db) => claimDeletions(db, firstDeletion, null, 0, 100))
  let purging: ReturnType<typeof purge> | undefined
  await ctx.transact(async (tx) => {
    const found = await findDeleted(tx, figure.id, subject, ctx.cfg.deletedRetentionMs)
    assert.ok(found)
    await restoreTree(ctx, tx, found, by, subject)
    purging = purge()
    await waiting(own)
  })
  assert.deepEqual(idsOf((await purging) ?? []), [figure.id])
  await get(own, figure)
  assert.deepEqual(await purgeable(own), [], 'it is not listed')
})

test('a restoration that comes while a purge begins waits for it, and is refused as too late', async () => {
  await using own = await startBench()
  const { figure } = await makeTree(own)
  await own.client.deleteNode({ id: figure.id }, ada)
  await age(figure, '1 hour', own)
  let restoring: Promise<unknown> | undefined
  await own.ctx.transact(async (tx) => {
    assert.equal((await claimDeletions(tx, firstDeletion, null, 0, 100)).length, 1)
    restoring = refused(own.client.restoreNode({ id: figure.id }, ada), because('already_purged'))
    await waiting(own)
  })
  await restoring
  await refused(find(figure, own), notFound)
})

test('whoever comes first, nothing is both restored and purged, and nothing is neither', async () => {
  await using own = await startBench()
  const { analysis, figure: kept } = await makeTree(own)
  const figures: Node[] = []
  for (let i = 0; i < 40; i++) figures.push(await make(own, FIGURE, analysis.id))
  for (const figure of figures) {
    await own.client.deleteNode({ id: figure.id }, ada)
    await age(figure, '1 hour', own)
  }
  const told = new Set<string>()
  const purging = (async () => {
    // Of a catalog configured to keep nothing.
    for (let after = firstDeletion, isAny = true; isAny; ) {
      const roots = await own.ctx.write((db) => claimDeletions(db, after, null, 0, 2))
      for (const { id } of await listDeletedNodes(own.ctx.db, ['figure'], after, roots, 100)) {
        if (id) told.add(id)
      }
      const last = roots.at(-1)
      isAny = last !== undefined && last.id !== after.rootId
      if (last) after = { ...firstDeletion, deletedOn: last.deleted_on, rootId: last.id }
    }
  })()
  const restored: string[] = []
  for (const { id } of figures.toReversed()) {
    await own.client.restoreNode({ id }, ada).then(
      () => restored.push(id),
      (error: unknown) => refused(Promise.reject(error), because('already_purged')),
    )
  }
  await purging
  const purged = idsOf(figures).filter((id) => !restored.includes(id))
  assert.deepEqual([...told].toSorted(), purged.toSorted())
  assert.ok(restored.length > 0 && purged.length > 0)
  const live = await own.client.listChildren({ parentId: analysis.id, type: FIGURE }, ada)
  assert.deepEqual(idsOf(live.nodes).toSorted(), [kept.id, ...restored].toSorted())
})

/** Until somebody waits for a lock. */
async function waiting({ query }: Bench) {
  for (let isWaiting = false; !isWaiting; ) {
    const rows = await query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    isWaiting = rows.length > 0
  }
}
