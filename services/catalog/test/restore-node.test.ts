import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { type Node, type NodeType, Permission } from '@figbase/proto/catalog'
import { subjectFor } from '../src/domain/subject.js'
import { findDeleted } from '../src/queries/access.js'
import { claimDeletions, firstDeletion, listDeletedNodes } from '../src/queries/deleted-nodes.js'
import { restoreTree } from '../src/restore-tree.js'
import {
  ANALYSIS,
  ASSET,
  ada,
  assertError,
  bob,
  contents,
  createAssetRevision,
  createNode,
  createRevision,
  createTree,
  cyd,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
  grant,
  logOf,
  microsOf,
  nobody,
  notFound,
  ORGANIZATION,
  startTestCatalog,
  system,
  type TestCatalog,
  unauthenticated,
  updateContent,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog({ env: { CHILDREN_MAX: '4' } })
})
after(() => catalog[Symbol.asyncDispose]())

const remove = ({ id }: Node) => catalog.client.deleteNode({ id }, ada)
const restore = ({ id, type }: Node, as = ada) => catalog.client.restoreNode({ id, type }, as)
const find = ({ id, type }: Node, on = catalog) => on.client.getNode({ id, type }, ada)
const failedPrecondition = (error: string) => ({ code: 'FailedPrecondition', error }) as const

const deletionsIn = async ({ id, type }: Node, as = ada) =>
  (await catalog.client.listDeletions({ id, type }, as)).deletions
const deletedContainers = async (type: NodeType, as = ada) =>
  (await catalog.client.listDeletions({ type }, as)).deletions
const idsOf = (rows: { id: string }[]) => rows.map((row) => row.id)

/** All responses about a node and its subtree. */
async function snapshotOf({ id, type }: Node) {
  const { node } = await catalog.client.getNode({ id, type, withParent: true }, ada)
  const nodes = []
  const leaves = []
  for await (const page of catalog.client.listDescendants({ id, type }, ada)) {
    leaves.push(...page.dataIds)
    for (const { id, type } of page.nodes) {
      nodes.push((await catalog.client.getNode({ id, type }, ada)).node)
    }
  }
  const grants = await catalog.query(`
    select g.* from access_grant g join node n on n.id = g.node_id
     where '${id}' = any(n.lineage) order by g.seq`)
  return { node, nodes, leaves, grants }
}

/** A workspace with nodes of each type, some of them shared, updated or deleted. */
async function createFullWorkspace() {
  const { workspace, analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id, [100n, 20n])
  const other = await createRevision(catalog, figure.id, [3n])
  const asset = await createNode(catalog, ASSET, workspace.id)
  const data = await createAssetRevision(catalog, asset.id, [7n])
  const scoped = await catalog.client.createNode(
    { type: ASSET, parentId: workspace.id, name: 'scoped', scopeId: analysis.id },
    ada,
  )
  assert.ok(scoped.node)
  await updateContent(catalog, revision.id, { sizes: [50n, 5n] })
  await catalog.client.updateNode({ id: figure.id, name: 'renamed' }, ada)
  for (const { id, type } of [analysis, figure, revision]) {
    await catalog.client.setUserShare({ id, type, username: 'bob', enabled: true }, ada)
    await catalog.client.setLinkShare({ id, type, enabled: true }, ada)
  }
  await remove(other)
  return { workspace, analysis, figure, revision, other, asset, data, scoped: scoped.node }
}

for (const kind of ['revision', 'figure', 'analysis', 'asset', 'workspace'] as const) {
  test(`restores a ${kind} with its subtree, and adds it to its ancestors again`, async () => {
    const tree = await createFullWorkspace()
    const { workspace, scoped } = tree
    await catalog.fold()
    const target = tree[kind]
    const [before, root] = [await snapshotOf(target), await get(catalog, workspace)]
    const overview = await catalog.client.getOverview({ workspaceId: workspace.id }, ada)
    await remove(target)
    await catalog.fold()
    await assertError(find(target), notFound)
    await restore(target)

    assert.deepEqual(await snapshotOf(target), before)
    const after = await get(catalog, workspace)
    const { childUpdatedOn, childUpdatedBy, changesBelow, ...rest } = after
    const { childUpdatedOn: old, childUpdatedBy: _, changesBelow: changesBefore, ...known } = root
    assert.deepEqual(rest, known)
    assert.deepEqual(await catalog.client.getOverview({ workspaceId: workspace.id }, ada), overview)
    assert.equal((await get(catalog, scoped)).scopeId, tree.analysis.id)
    if (kind !== 'workspace') {
      assert.equal(childUpdatedBy, 'ada')
      assert.ok(childUpdatedOn && old)
      assert.ok(
        microsOf({ ...after, createdOn: childUpdatedOn }) > microsOf({ ...after, createdOn: old }),
      )
    }
    await catalog.fold()
    assert.deepEqual(await get(catalog, workspace), after)
    const { id, type } = target
    await catalog.client.checkAccess({ id, type, permission: Permission.VIEW }, ada)
  })
}

test('a restoration has an activity entry and an event; the entry of the deletion stays', async () => {
  const { figure, workspace, analysis } = await createTree(catalog)
  await remove(figure)
  await restore(figure)
  const log = await logOf(catalog, figure.id)
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
  const { entries } = await catalog.client.listActivity(
    { id: workspace.id, type: WORKSPACE, pageSize: 1 },
    ada,
  )
  assert.deepEqual(
    entries.map((entry) => [entry.action, entry.targetId, entry.targetDeleted]),
    [['restore', figure.id, false]],
  )
  const events = await catalog.query<{ action: string }>(`
    select e.message -> 'payload' ->> 'action' as action
      from (select seq, message from outbox union all select seq, message from outbox_sent) e
     where e.message -> 'payload' ->> 'nodeId' = '${figure.id}' order by e.seq`)
  assert.equal(events.at(-1)?.action, 'NODE_ACTION_RESTORE')
  await remove(figure)
  await catalog.client.restoreNode({ id: figure.id, silent: true }, ada)
  assert.equal((await logOf(catalog, figure.id)).at(-1)?.is_silent, true)
})

test('checks 401, 404 and 403 in this order, and writes nothing', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  await catalog.client.setUserShare(
    { id: figure.id, type: FIGURE, username: 'bob', enabled: true },
    ada,
  )
  await grant(catalog, 'cyd', workspace, 'viewer')
  await remove(figure)
  const untouched = await contents(catalog)
  const { id } = figure
  for (const other of [id, newId(), 'x']) {
    await assertError(catalog.client.restoreNode({ id: other }, nobody), unauthenticated)
  }
  for (const other of [newId(), 'x']) {
    await assertError(catalog.client.restoreNode({ id: other }, ada), notFound)
  }
  await assertError(catalog.client.restoreNode({ id, type: ANALYSIS }, ada), notFound)
  for (const as of [bob, cyd]) await assertError(restore(figure, as), denied)
  await assertError(restore(analysis, ada), failedPrecondition('not_deleted'))
  assert.deepEqual(await contents(catalog), untouched)
})

test('one of several concurrent restorations succeeds, and the size is added once', async () => {
  const { workspace, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id, [7n])
  await remove(figure)
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => restore(figure)))
  assert.equal(outcomes.filter((one) => one.status === 'fulfilled').length, 1)
  for (const one of outcomes) {
    if (one.status === 'rejected')
      await assertError(Promise.reject(one.reason), failedPrecondition('not_deleted'))
  }
  assert.equal((await get(catalog, workspace)).sizeBytes, 7n)
  await get(catalog, revision)
})

test('a node that was deleted before its parent stays deleted, and can be restored after it', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id, [7n])
  const other = await createRevision(catalog, figure.id, [1n])
  await remove(revision)
  await remove(analysis)
  for (const below of [revision, other, figure]) {
    await assertError(restore(below), failedPrecondition('parent_deleted'))
  }
  await assert.rejects(restore(revision), new RegExp(`analysis .*"a name" \\(${analysis.id}\\)`))
  await remove(workspace)
  await assert.rejects(restore(analysis), new RegExp(`workspace .*\\(${workspace.id}\\)`))
  await restore(workspace)
  await restore(analysis)
  await assertError(find(revision), notFound)
  assert.equal((await get(catalog, workspace)).sizeBytes, 1n)
  await restore(revision)
  assert.equal((await get(catalog, workspace)).sizeBytes, 8n)
  await assertError(restore(other), failedPrecondition('not_deleted'))
})

test('a node can be restored only after its moved ancestor is moved back', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id, [7n])
  const elsewhere = await createNode(catalog, WORKSPACE)
  await remove(revision)
  const [row] = await deletionsIn(workspace)
  assert.equal(row?.id, revision.id)
  const moveTo = (parentId: string) => catalog.client.updateNode({ id: analysis.id, parentId }, ada)
  await moveTo(elsewhere.id)
  const untouched = await contents(catalog)
  await assertError(restore(revision), failedPrecondition('parent_moved'))
  assert.deepEqual(await contents(catalog), untouched)
  assert.deepEqual(
    await deletionsIn(elsewhere),
    [],
    'the deletion is not listed in the new workspace',
  )
  await moveTo(workspace.id)
  await restore(revision)
  assert.equal((await get(catalog, workspace)).sizeBytes, 7n)
})

test('rejects a restoration into a full parent or organization', async () => {
  const { analysis, figure } = await createTree(catalog)
  await remove(figure)
  for (let i = 0; i < 4; i++) await createNode(catalog, FIGURE, analysis.id)
  await assertError(restore(figure), failedPrecondition('too_many_children'))
  const organization = await createNode(catalog, ORGANIZATION)
  const workspace = await createNode(catalog, WORKSPACE, organization.id)
  await remove(workspace)
  for (let i = 0; i < 4; i++) await createNode(catalog, WORKSPACE, organization.id)
  await assertError(restore(workspace), failedPrecondition('too_many_children'))
})

test('lists deletions newest first with user and expiry, without descendants', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id)
  const asset = await createNode(catalog, ASSET, workspace.id)
  await grant(catalog, 'bob', workspace, 'creator')
  await grant(catalog, 'cyd', workspace, 'viewer')
  await remove(revision)
  await catalog.client.deleteNode({ id: asset.id }, bob)
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
    const [tombstone] = await catalog.query<{ is_same: boolean }>(
      `select deleted_on = to_timestamp(${deletedOn.seconds}) + ${deletedOn.nanos / 1000} * interval '1 us'
                as is_same from tombstone where node_id = '${id}'`,
    )
    assert.equal(tombstone?.is_same, true)
  }
  assert.deepEqual(await deletionsIn(workspace, bob), rows)
  await assertError(deletionsIn(workspace, cyd), denied)
  await assertError(deletionsIn(workspace, nobody), unauthenticated)
  const page = { id: workspace.id, type: WORKSPACE, pageSize: 1, offset: 1 }
  assert.deepEqual((await catalog.client.listDeletions(page, ada)).deletions, rows.slice(1, 2))
  await restore(asset, bob)
  assert.deepEqual(idsOf(await deletionsIn(workspace)), [analysis.id, revision.id])
  for (const type of [FIGURE, 0]) {
    const odd = { code: 'InvalidArgument', field: 'type' } as const
    await assertError(catalog.client.listDeletions({ id: figure.id, type }, ada), odd)
  }
})

test('users with DELETE can list and restore workspaces and organizations', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const [kept, gone] = [
    await createNode(catalog, WORKSPACE, organization.id),
    await createNode(catalog, WORKSPACE, organization.id),
  ]
  await grant(catalog, 'bob', organization, 'org_admin')
  await grant(catalog, 'cyd', organization, 'workspace_admin')
  await remove(gone)
  assert.deepEqual(idsOf(await deletionsIn(organization, bob)), [gone.id])
  assert.ok(idsOf(await deletedContainers(WORKSPACE)).includes(gone.id))
  assert.deepEqual(idsOf(await deletedContainers(WORKSPACE, bob)), [gone.id])
  assert.deepEqual(await deletedContainers(WORKSPACE, cyd), [])
  await assertError(deletionsIn(organization, cyd), denied)
  await assertError(restore(gone, cyd), denied)
  await restore(gone, bob)
  assert.equal((await get(catalog, gone)).parentId, organization.id)

  await remove(organization)
  assert.deepEqual(idsOf(await deletedContainers(ORGANIZATION, bob)), [organization.id])
  await assertError(restore(organization, cyd), denied)
  await restore(organization, bob)
  const { nodes } = await catalog.client.listChildren(
    { parentId: organization.id, type: WORKSPACE },
    ada,
  )
  assert.deepEqual(idsOf(nodes), [kept.id, gone.id])
})

test('restoring an organization adds its workspaces again, except those in another organization', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const other = await createNode(catalog, ORGANIZATION)
  const make3 = () => createNode(catalog, WORKSPACE, organization.id)
  const [stays, leaves, returns, deleted] = [
    await make3(),
    await make3(),
    await make3(),
    await make3(),
  ]
  await remove(organization)
  assert.equal((await get(catalog, stays)).parentId, '')
  const put = ({ id }: Node, parentId: string) =>
    catalog.client.updateNode({ id, type: WORKSPACE, parentId }, ada)
  await put(leaves, other.id)
  await put(returns, other.id)
  await put(returns, '')
  await remove(deleted)
  await restore(organization)
  const parents = await Promise.all([stays, leaves, returns].map((one) => get(catalog, one)))
  assert.deepEqual(
    parents.map((node) => node.parentId),
    [organization.id, other.id, ''],
  )
  await restore(deleted)
  assert.equal((await get(catalog, deleted)).parentId, organization.id)
  assert.deepEqual(await catalog.query('select * from dissolved_workspace'), [])
})

test('rejects a restoration beyond the limits of the plan, and writes nothing', async () => {
  await using own = await startTestCatalog()
  await own.query('update plan set max_storage_bytes = 10, max_users = 2 where is_default')
  const { workspace, figure } = await createTree(own)
  const revision = await createRevision(own, figure.id, [6n])
  await own.client.deleteNode({ id: revision.id }, ada)
  const instead = await createRevision(own, figure.id, [5n])
  const untouched = await contents(own)
  const call = () => own.client.restoreNode({ id: revision.id }, ada)
  await assertError(call(), { code: 'PermissionDenied', error: 'max_storage_bytes' })
  assert.deepEqual(await contents(own), untouched)
  await own.client.deleteNode({ id: instead.id }, ada)
  await call()
  assert.equal((await get(own, workspace)).sizeBytes, 6n)

  const organization = await createNode(own, ORGANIZATION)
  const first = await createNode(own, WORKSPACE, organization.id)
  await grant(own, 'bob', first, 'viewer')
  await own.client.deleteNode({ id: first.id }, ada)
  const second = await createNode(own, WORKSPACE, organization.id)
  await grant(own, 'cyd', second, 'viewer')
  const tooMany = { code: 'PermissionDenied', error: 'max_users' } as const
  await assertError(own.client.restoreNode({ id: first.id }, ada), tooMany)
  await own.query(`update plan set max_users = 3 where is_default`)
  await own.client.restoreNode({ id: first.id }, ada)
  await own.client.deleteNode({ id: organization.id }, ada)
  await own.query(`update plan set max_users = 2 where is_default`)
  await assertError(own.client.restoreNode({ id: organization.id }, ada), tooMany)
  await own.query(`update plan set max_users = null where is_default`)
  await own.client.restoreNode({ id: organization.id }, ada)
})

test('containers of users who left cannot be restored', async () => {
  await using own = await startTestCatalog()
  const organization = await createNode(own, ORGANIZATION)
  await grant(own, 'bob', organization, 'org_admin')
  const workspace = await createNode(own, WORKSPACE, organization.id)
  const restoreNode = ({ id }: Node, as = ada) => own.client.restoreNode({ id }, as)
  await own.client.deleteNode({ id: organization.id }, bob)
  await own.people.leave({ username: 'ada' }, system)
  await assertError(restoreNode(workspace), denied)
  assert.deepEqual((await own.client.listDeletions({ type: WORKSPACE }, ada)).deletions, [])
  await restoreNode(organization, bob)
  assert.deepEqual((await own.client.listDeletions({ type: WORKSPACE }, bob)).deletions, [])
  await assertError(restoreNode(workspace, bob), failedPrecondition('already_purged'))
})

/** Moves the time of a deletion back. */
const age = async ({ id }: Node, interval: string, on = catalog) => {
  await on.query(`with t as (
    update tombstone set deleted_on = now() - interval '${interval}' where node_id = '${id}'
    returning node_id, deleted_on
  ) update node n set deleted_on = t.deleted_on from t where n.id = t.node_id`)
}

test('an expired or purged deletion cannot be restored and is not listed', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id)
  await remove(revision)
  await remove(analysis)
  await age(revision, '29 days 23 hours')
  assert.deepEqual(idsOf(await deletionsIn(workspace)), [analysis.id, revision.id])
  await age(revision, '30 days 1 second')
  assert.deepEqual(idsOf(await deletionsIn(workspace)), [analysis.id])
  await assertError(restore(revision), failedPrecondition('already_purged'))
  await catalog.query(
    `update tombstone set purge_began_on = now() where node_id = '${analysis.id}'`,
  )
  assert.deepEqual(await deletionsIn(workspace), [])
  await assertError(restore(analysis), failedPrecondition('already_purged'))
})

const purgeable = async (on: TestCatalog) => {
  const types = [FIGURE, FIGURE_REVISION]
  return (await on.client.listDeletedNodes({ types }, system)).ids
}

test('a purge waits for a concurrent restoration, and skips the node', async () => {
  await using own = await startTestCatalog()
  const { figure } = await createTree(own)
  await own.client.deleteNode({ id: figure.id }, ada)
  await age(figure, '1 hour', own)
  const { ctx } = own
  const subject = subjectFor('ada')
  const by = { actor: 'ada', actorKind: 'user', requestId: '', isSilent: false } as const
  const purge = () => ctx.write((db) => claimDeletions(db, firstDeletion, null, 0, 100))
  let purging: ReturnType<typeof purge> | undefined
  await ctx.transact(async (tx) => {
    const found = await findDeleted(tx, figure.id, subject, ctx.cfg.deletedRetentionMs)
    assert.ok(found)
    await restoreTree(ctx, tx, found, by, subject)
    purging = purge()
    await waitForLock(own)
  })
  assert.deepEqual(idsOf((await purging) ?? []), [figure.id])
  await get(own, figure)
  assert.deepEqual(await purgeable(own), [], 'the purge does not list it')
})

test('a restoration waits for a concurrent purge, and fails with already_purged', async () => {
  await using own = await startTestCatalog()
  const { figure } = await createTree(own)
  await own.client.deleteNode({ id: figure.id }, ada)
  await age(figure, '1 hour', own)
  let restoring: Promise<unknown> | undefined
  await own.ctx.transact(async (tx) => {
    assert.equal((await claimDeletions(tx, firstDeletion, null, 0, 100)).length, 1)
    restoring = assertError(
      own.client.restoreNode({ id: figure.id }, ada),
      failedPrecondition('already_purged'),
    )
    await waitForLock(own)
  })
  await restoring
  await assertError(find(figure, own), notFound)
})

test('with concurrent purges, each node is either restored or purged', async () => {
  await using own = await startTestCatalog()
  const { analysis, figure: kept } = await createTree(own)
  const figures: Node[] = []
  for (let i = 0; i < 40; i++) figures.push(await createNode(own, FIGURE, analysis.id))
  for (const figure of figures) {
    await own.client.deleteNode({ id: figure.id }, ada)
    await age(figure, '1 hour', own)
  }
  const restored: string[] = []
  const restore = (id: string) =>
    own.client.restoreNode({ id }, ada).then(
      () => restored.push(id),
      (error: unknown) => assertError(Promise.reject(error), failedPrecondition('already_purged')),
    )
  const [newest = '', ...older] = idsOf(figures.toReversed())
  await restore(newest)
  const listedIds = new Set<string>()
  let onFirstPurge = () => {}
  const firstPurge = new Promise<void>((resolve) => {
    onFirstPurge = resolve
  })
  const purging = (async () => {
    // A catalog with a retention of 0.
    for (let after = firstDeletion, isAny = true; isAny; ) {
      const roots = await own.ctx.write((db) => claimDeletions(db, after, null, 0, 2))
      for (const { id } of await listDeletedNodes(own.ctx.db, ['figure'], after, roots, 100)) {
        if (id) listedIds.add(id)
      }
      onFirstPurge()
      const last = roots.at(-1)
      isAny = last !== undefined && last.id !== after.rootId
      if (last) after = { ...firstDeletion, deletedOn: last.deleted_on, rootId: last.id }
    }
  })()
  await firstPurge
  for (const id of older) await restore(id)
  await purging
  const purged = idsOf(figures).filter((id) => !restored.includes(id))
  assert.deepEqual([...listedIds].toSorted(), purged.toSorted())
  assert.ok(restored.length > 0 && purged.length > 0)
  const live = await own.client.listChildren({ parentId: analysis.id, type: FIGURE }, ada)
  assert.deepEqual(idsOf(live.nodes).toSorted(), [kept.id, ...restored].toSorted())
})

/** Waits until a transaction waits for a lock. */
async function waitForLock({ query }: TestCatalog) {
  for (let isWaiting = false; !isWaiting; ) {
    const rows = await query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    isWaiting = rows.length > 0
  }
}
