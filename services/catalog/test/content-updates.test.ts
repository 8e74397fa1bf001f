import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import type { Node } from '@figbase/proto/catalog'
import { lockForUpdate } from '../src/queries/content-updates.js'
import {
  ANALYSIS,
  ASSET,
  ada,
  assertError,
  bob,
  contentOf,
  contents,
  createAssetRevision,
  createNode,
  createRevision,
  createTree,
  cyd,
  denied,
  FIGURE,
  get,
  grant,
  leaf,
  logOf,
  nobody,
  notFound,
  startTestCatalog,
  sumsOf,
  system,
  type TestCatalog,
  type Tree,
  unauthenticated,
  updateContent,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

/** A revision with two data objects and its ancestors. Bob may change them, too. */
async function createAssetTree(): Promise<Tree & { revision: Node; ancestors: Node[] }> {
  const tree = await createTree(catalog)
  const revision = await createRevision(catalog, tree.figure.id, [5n, 7n])
  await grant(catalog, 'bob', tree.workspace, 'creator')
  return { ...tree, revision, ancestors: [tree.workspace, tree.analysis, tree.figure] }
}

const leavesOf = async ({ id }: { id: string }) => {
  const rows = await catalog.query<{ id: string }>(`select id from leaf where node_id = '${id}'`)
  return rows.map((row) => row.id).sort()
}

const payloadsOf = async ({ id }: { id: string }) => {
  const text = `select payload from activity where target_id = '${id}' and action = 'update' order by seq`
  return (await catalog.query<{ payload: string }>(text)).map((row) => row.payload)
}

const holds = () => catalog.query('select from update_hold')

test('an update changes size and time of the node and every ancestor', async () => {
  const { ancestors, revision } = await createAssetTree()
  const before = await contents(catalog)
  const { updateId, updatedOn } = await catalog.client.reserveUpdate({ id: revision.id }, bob)
  assert.deepEqual(await get(catalog, revision), revision, 'the update is not visible yet')
  const request = { updateId, id: revision.id, ...contentOf({ sizes: [100n] }) }
  const { node } = await catalog.client.activateUpdate(request, bob)
  assert.deepEqual(node, {
    ...revision,
    ...{ sizeBytes: 100n, version: 2, updatedBy: 'bob', updatedOn },
  })
  assert.deepEqual(await get(catalog, revision), node)
  const above = { sizeBytes: 100n, childUpdatedOn: updatedOn, childUpdatedBy: 'bob' }
  for (const folded of [false, true]) {
    if (folded) await catalog.fold()
    assert.deepEqual(await sumsOf(catalog, ...ancestors), [above, above, above])
  }
  for (const one of ancestors) assert.equal((await get(catalog, one)).updatedOn, undefined)
  assert.deepEqual(await leavesOf(revision), [request.leaves?.leaves[0]?.id])
  const after = await contents(catalog)
  assert.deepEqual([after?.holds, after?.pending], [before?.holds, before?.pending])
})

test('the activity entry and the event of an update have its path, time and content', async () => {
  const { workspace, analysis, figure, revision } = await createAssetTree()
  await updateContent(catalog, revision.id, { sizes: [1n, 2n], silent: true })
  const [, entry] = await logOf(catalog, revision.id)
  assert.deepEqual(entry, {
    action: 'update',
    actor: 'ada',
    is_silent: true,
    request_id: 'request-1',
    workspace_id: workspace.id,
    analysis_id: analysis.id,
    figure_id: figure.id,
    target_id: revision.id,
    target_type: 'figure_revision',
    target_name: null,
    is_same_time: true,
  })
  await updateContent(catalog, revision.id)
  assert.deepEqual(await payloadsOf(revision), ['{"data":2,"size_bytes":"3"}', '{}'])
  const [events] = await catalog.query<{ n: number }>(`select count(*)::int as n
    from (select message from outbox union all select message from outbox_sent) e
    join activity a on a.target_id = '${revision.id}' and e.message::text like '%' || a.id || '%'`)
  assert.equal(events?.n, 3)
})

test('an update adds, keeps and deletes data objects', async () => {
  const { revision } = await createAssetTree()
  const kept = leaf(3n)
  const version = (contentVersion: number, ...leaves: { id: string; sizeBytes: bigint }[]) => ({
    leaves: { leaves },
    contentVersion,
  })
  const apply = async (content: ReturnType<typeof version>) => {
    const { updateId } = await catalog.client.reserveUpdate({ id: revision.id }, ada)
    await catalog.client.activateUpdate({ updateId, id: revision.id, ...content }, ada)
  }
  await apply(version(2, leaf(1n), kept, leaf(2n)))
  const other = leaf(4n)
  await apply(version(3, other, kept))
  assert.deepEqual(await leavesOf(revision), [kept.id, other.id].sort())
  assert.equal((await get(catalog, revision)).sizeBytes, 7n)
  await apply(version(4))
  assert.deepEqual(await leavesOf(revision), [])
  assert.equal((await get(catalog, revision)).sizeBytes, 0n)
})

test('an update without leaves changes only time, version and log', async () => {
  const { figure, revision } = await createAssetTree()
  const leaves = await leavesOf(revision)
  const { node, updatedOn } = await updateContent(catalog, revision.id)
  assert.deepEqual(node, { ...revision, version: 2, updatedBy: 'ada', updatedOn })
  assert.deepEqual(await leavesOf(revision), leaves)
  const [sums] = await sumsOf(catalog, figure)
  assert.deepEqual(sums, { sizeBytes: 12n, childUpdatedOn: updatedOn, childUpdatedBy: 'ada' })
})

test('repeated and concurrent activations are idempotent', async () => {
  const { workspace, revision } = await createAssetTree()
  const { id } = revision
  const { updateId } = await catalog.client.reserveUpdate({ id }, ada)
  const request = { updateId, id, ...contentOf({ sizes: [9n] }) }
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      catalog.client.activateUpdate(request, n % 2 ? ada : system),
    ),
  )
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  const untouched = await contents(catalog)
  const other = { updateId, id, ...contentOf({ sizes: [500n], version: 9 }) }
  assert.deepEqual(await catalog.client.activateUpdate(other, ada), answers[0])
  await catalog.client.abandonUpdate({ updateId }, ada)
  assert.deepEqual(await contents(catalog), untouched)
  assert.equal((await get(catalog, workspace)).sizeBytes, 9n)
  await assertError(catalog.client.activateUpdate(request, cyd), denied)
})

test('an abandoned update changes nothing and cannot be activated', async () => {
  const { revision } = await createAssetTree()
  const { id } = revision
  const untouched = await contents(catalog)
  const { updateId } = await catalog.client.reserveUpdate({ id }, ada)
  await catalog.client.abandonUpdate({ updateId }, bob)
  assert.equal((await holds()).length, 1)
  for (const as of [ada, system]) await catalog.client.abandonUpdate({ updateId }, as)
  await catalog.client.abandonUpdate({ updateId: 'x' }, ada)
  assert.deepEqual(await contents(catalog), untouched)
  const request = { updateId, id, ...contentOf({ sizes: [9n] }) }
  assert.deepEqual((await catalog.client.activateUpdate(request, ada)).node, revision)
  await assertError(catalog.client.abandonUpdate({ updateId }, nobody), unauthenticated)
})

test('the newer of two updates wins when they are activated in the wrong order', async () => {
  const { ancestors, revision } = await createAssetTree()
  const { id } = revision
  const first = await catalog.client.reserveUpdate({ id }, bob)
  const second = await catalog.client.reserveUpdate({ id }, ada)
  const later = { updateId: second.updateId, id, ...contentOf({ sizes: [30n], version: 3 }) }
  await catalog.client.activateUpdate(later, ada)
  const earlier = { updateId: first.updateId, id, ...contentOf({ sizes: [1n, 1n], version: 2 }) }
  const { node } = await catalog.client.activateUpdate(earlier, bob)
  const { updatedOn } = second
  assert.deepEqual(node, {
    ...revision,
    ...{ sizeBytes: 30n, version: 3, updatedBy: 'ada', updatedOn },
  })
  const above = { sizeBytes: 30n, childUpdatedOn: updatedOn, childUpdatedBy: 'ada' }
  for (const folded of [false, true]) {
    if (folded) await catalog.fold()
    assert.deepEqual(await sumsOf(catalog, ...ancestors), [above, above, above])
  }
  assert.deepEqual(await leavesOf(revision), [later.leaves?.leaves[0]?.id])
  assert.deepEqual((await payloadsOf(revision)).length, 2)
})

test('eight concurrent updates give exact sums and the latest time', async () => {
  const { workspace, analysis, ancestors, figure, revision } = await createAssetTree()
  const others = await Promise.all([
    createRevision(catalog, figure.id, [1n]),
    createRevision(catalog, (await createNode(catalog, FIGURE, analysis.id)).id, [2n]),
    createAssetRevision(catalog, (await createNode(catalog, ASSET, workspace.id)).id, [4n]),
  ])
  // Half of them update one revision, so that they wait for each other.
  const changed = [revision, ...others, revision, revision, revision, ...others.slice(0, 1)]
  const versions = changed.map((one, n) => 2 + changed.slice(0, n).filter((x) => x === one).length)
  const updates = await Promise.all(
    changed.map(({ id }, n) =>
      updateContent(catalog, id, { sizes: [BigInt(n + 1) * 100n], version: versions[n] ?? 0 }),
    ),
  )
  const sizeOf = async (one: Node) => (await get(catalog, one)).sizeBytes
  assert.deepEqual(await Promise.all([revision, ...others].map(sizeOf)), [700n, 800n, 300n, 400n])
  const micros = ({ updatedOn }: (typeof updates)[number]) => {
    assert.ok(updatedOn)
    return updatedOn.seconds * 1_000_000n + BigInt(updatedOn.nanos / 1000)
  }
  const latest = (some: typeof updates) =>
    some.reduce((one, other) => (micros(one) > micros(other) ? one : other)).updatedOn
  const below = (...nodes: Node[]) =>
    latest(updates.filter((_, n) => nodes.some((one) => one === changed[n])))
  const [first, second] = others
  assert.ok(first && second)
  for (const folded of [false, true]) {
    if (folded) await catalog.fold()
    const sums = await sumsOf(catalog, ...ancestors)
    assert.deepEqual(
      sums.map((one) => [one.sizeBytes, one.childUpdatedOn]),
      [
        [2200n, latest(updates)],
        [1800n, below(revision, first, second)],
        [1500n, below(revision, first)],
      ],
    )
  }
  assert.equal((await get(catalog, revision)).version, 5)
  assert.deepEqual(await holds(), [])
})

test('an update does not block updates of other revisions or changes of ancestors', async () => {
  const { figure, revision } = await createAssetTree()
  const other = await createRevision(catalog, figure.id, [1n])
  const { updateId } = await catalog.client.reserveUpdate({ id: revision.id }, ada)
  await catalog.ctx.transact(async (tx) => {
    assert.ok(await lockForUpdate(tx, updateId, revision.id, 'ada'))
    await updateContent(catalog, other.id, { sizes: [8n], growthBytes: 7n })
    await catalog.client.updateNode({ id: figure.id, name: 'renamed' }, ada)
    const third = await createRevision(catalog, figure.id, [4n])
    assert.equal((await get(catalog, figure)).sizeBytes, 24n)
    await catalog.client.deleteNode({ id: third.id }, ada)
  })
  await catalog.client.activateUpdate({ updateId, id: revision.id }, ada)
  assert.equal((await get(catalog, figure)).sizeBytes, 20n)
})

for (const which of ['workspace', 'analysis', 'figure', 'revision'] as const) {
  test(`an update is 404 when the ${which} was deleted meanwhile, and is applied after the restoration`, async () => {
    const tree = await createAssetTree()
    const { id } = tree.revision
    const applied = await catalog.client.reserveUpdate({ id }, ada)
    await catalog.client.activateUpdate({ updateId: applied.updateId, id }, ada)
    const { updateId } = await catalog.client.reserveUpdate({ id }, ada)
    await catalog.client.deleteNode({ id: tree[which].id }, ada)
    const content = contentOf({ sizes: [10n, 1n] })
    for (const as of [ada, system]) {
      await assertError(catalog.client.activateUpdate({ updateId, id, ...content }, as), notFound)
      const again = { updateId: applied.updateId, id }
      await assertError(catalog.client.activateUpdate(again, as), notFound)
    }
    assert.deepEqual(await holds(), [])
    await catalog.client.restoreNode({ id: tree[which].id }, ada)
    const sizes = [tree.revision, tree.figure, tree.analysis, tree.workspace].map(
      async (one) => (await get(catalog, one)).sizeBytes,
    )
    assert.deepEqual(await Promise.all(sizes), [11n, 11n, 11n, 11n])
    await catalog.fold()
    assert.equal((await get(catalog, tree.workspace)).sizeBytes, 11n)
  })
}

test('an update below two deleted nodes changes the sums up to the inner one', async () => {
  const { workspace, analysis, figure, revision } = await createAssetTree()
  const { id } = revision
  const { updateId } = await catalog.client.reserveUpdate({ id }, ada)
  await catalog.client.deleteNode({ id: figure.id }, ada)
  await catalog.client.deleteNode({ id: analysis.id }, ada)
  const content = contentOf({ sizes: [11n] })
  await assertError(catalog.client.activateUpdate({ updateId, id, ...content }, ada), notFound)
  await catalog.client.restoreNode({ id: analysis.id }, ada)
  assert.equal((await get(catalog, workspace)).sizeBytes, 0n)
  await catalog.client.restoreNode({ id: figure.id }, ada)
  assert.equal((await get(catalog, workspace)).sizeBytes, 11n)
})

test('an update counts in the new place when the figure moved meanwhile', async () => {
  const { workspace, analysis, figure, revision } = await createAssetTree()
  const there = await createNode(catalog, ANALYSIS, (await createNode(catalog, WORKSPACE)).id)
  const { id } = revision
  const { updateId, updatedOn } = await catalog.client.reserveUpdate({ id }, ada)
  await catalog.client.updateNode({ id: figure.id, parentId: there.id }, ada)
  const request = { updateId, id, ...contentOf({ sizes: [50n] }) }
  const { node } = await catalog.client.activateUpdate(request, ada)
  assert.deepEqual([node?.workspaceId, node?.updatedOn], [there.parentId, updatedOn])
  const sizes = await sumsOf(catalog, workspace, analysis, there, figure)
  assert.deepEqual(
    sizes.map((sums) => sums.sizeBytes),
    [0n, 0n, 50n, 50n],
  )
  const [, entry] = await logOf(catalog, id)
  assert.deepEqual([entry?.analysis_id, entry?.workspace_id], [there.id, there.parentId])
})

test('an update takes UPDATE and belongs to the user who reserved it', async () => {
  const { figure, revision } = await createAssetTree()
  const { id } = revision
  await grant(catalog, 'cyd', figure, 'viewer', 'share')
  const untouched = await contents(catalog)
  const reserve = (as: typeof ada, more: object = {}) =>
    catalog.client.reserveUpdate({ id, ...more }, as)
  for (const other of [id, newId(), 'x'])
    await assertError(reserve(nobody, { id: other }), unauthenticated)
  for (const other of [{ id: newId() }, { id: 'x' }, { type: FIGURE }]) {
    await assertError(reserve(ada, other), notFound)
  }
  await assertError(reserve(cyd), denied)
  await assertError(reserve(ada, { id: figure.id }), { code: 'InvalidArgument', field: 'type' })
  assert.deepEqual(await contents(catalog), untouched)

  const { updateId } = await reserve(bob, { type: revision.type })
  const activate = (as: typeof ada, more: object = {}) =>
    catalog.client.activateUpdate({ updateId, id, ...more }, as)
  await assertError(activate(nobody), unauthenticated)
  for (const as of [ada, cyd]) await assertError(activate(as), denied)
  await assertError(activate(bob, { updateId: 'x' }), notFound)
  await assertError(activate(bob, { id: figure.id }), notFound)
  await assertError(activate(bob, { id: 'x' }), notFound)
  // Bob had the permission when they reserved it.
  await catalog.query(`delete from access_grant where subject = 'bob'`)
  assert.equal((await activate(bob)).node?.updatedBy, 'bob')
  await assertError(activate(bob), denied)
})

test('rejects invalid leaves', async () => {
  const { figure, revision } = await createAssetTree()
  const { id } = revision
  const foreign = leaf(1n)
  const other = await catalog.client.reserve({ type: revision.type, parentId: figure.id }, ada)
  await catalog.client.activate({ id: other.id, leaves: [foreign] }, ada)
  const { updateId } = await catalog.client.reserveUpdate({ id }, ada)
  const untouched = await contents(catalog)
  const activate = (leaves: { id: string; sizeBytes: bigint }[], contentVersion = 2) =>
    catalog.client.activateUpdate({ updateId, id, leaves: { leaves }, contentVersion }, ada)
  const bad = (field: string) => ({ code: 'InvalidArgument', field }) as const
  await assertError(activate([leaf(-1n)]), bad('leaves'))
  await assertError(activate([{ id: 'x', sizeBytes: 1n }]), bad('leaves'))
  await assertError(activate([foreign, foreign]), bad('leaves'))
  await assertError(activate([], 0), bad('content_version'))
  await assertError(activate([foreign]), { code: 'AlreadyExists', error: 'duplicate_leaf' })
  assert.deepEqual(await contents(catalog), untouched)
  await catalog.client.abandonUpdate({ updateId }, ada)
})
