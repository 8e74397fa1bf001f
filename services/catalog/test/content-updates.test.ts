import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import type { Node } from '@figbase/proto/catalog'
import { lockForUpdate } from '../src/queries/content-updates.js'
import {
  ANALYSIS,
  ASSET,
  ada,
  type Bench,
  bob,
  contentOf,
  contents,
  cyd,
  denied,
  FIGURE,
  get,
  grant,
  leaf,
  logOf,
  make,
  makeAssetRevision,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  refused,
  startBench,
  sumsOf,
  system,
  type Tree,
  unauthenticated,
  updateContent,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

/** A revision of two data objects, and everything that it lives in, which bob may change too. */
async function plant(): Promise<Tree & { revision: Node; ancestors: Node[] }> {
  const tree = await makeTree(bench)
  const revision = await makeRevision(bench, tree.figure.id, [5n, 7n])
  await grant(bench, 'bob', tree.workspace, 'creator')
  return { ...tree, revision, ancestors: [tree.workspace, tree.analysis, tree.figure] }
}

const leavesOf = async ({ id }: { id: string }) => {
  const rows = await bench.query<{ id: string }>(`select id from leaf where node_id = '${id}'`)
  return rows.map((row) => row.id).sort()
}

const payloadsOf = async ({ id }: { id: string }) => {
  const text = `select payload from activity where target_id = '${id}' and action = 'update' order by seq`
  return (await bench.query<{ payload: string }>(text)).map((row) => row.payload)
}

const holds = () => bench.query('select from update_hold')

test('an update shows its size and its time on the node and every ancestor', async () => {
  const { ancestors, revision } = await plant()
  const before = await contents(bench)
  const { updateId, updatedOn } = await bench.client.reserveUpdate({ id: revision.id }, bob)
  assert.deepEqual(await get(bench, revision), revision, 'nothing is to be seen of it yet')
  const request = { updateId, id: revision.id, ...contentOf({ sizes: [100n] }) }
  const { node } = await bench.client.activateUpdate(request, bob)
  assert.deepEqual(node, {
    ...revision,
    ...{ sizeBytes: 100n, version: 2, updatedBy: 'bob', updatedOn },
  })
  assert.deepEqual(await get(bench, revision), node)
  const above = { sizeBytes: 100n, childUpdatedOn: updatedOn, childUpdatedBy: 'bob' }
  for (const folded of [false, true]) {
    if (folded) await bench.fold()
    assert.deepEqual(await sumsOf(bench, ...ancestors), [above, above, above])
  }
  for (const one of ancestors) assert.equal((await get(bench, one)).updatedOn, undefined)
  assert.deepEqual(await leavesOf(revision), [request.leaves?.leaves[0]?.id])
  const after = await contents(bench)
  assert.deepEqual([after?.holds, after?.pending], [before?.holds, before?.pending])
})

test('its entry has the path, the time and what there is now; its event says the same', async () => {
  const { workspace, analysis, figure, revision } = await plant()
  await updateContent(bench, revision.id, { sizes: [1n, 2n], silent: true })
  const [, entry] = await logOf(bench, revision.id)
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
  await updateContent(bench, revision.id)
  assert.deepEqual(await payloadsOf(revision), ['{"data":2,"size_bytes":"3"}', '{}'])
  const [events] = await bench.query<{ n: number }>(`select count(*)::int as n
    from (select message from outbox union all select message from outbox_sent) e
    join activity a on a.target_id = '${revision.id}' and e.message::text like '%' || a.id || '%'`)
  assert.equal(events?.n, 3)
})

test('what stays among the data objects stays, what is gone goes, what comes comes', async () => {
  const { revision } = await plant()
  const kept = leaf(3n)
  const version = (contentVersion: number, ...leaves: { id: string; sizeBytes: bigint }[]) => ({
    leaves: { leaves },
    contentVersion,
  })
  const apply = async (content: ReturnType<typeof version>) => {
    const { updateId } = await bench.client.reserveUpdate({ id: revision.id }, ada)
    await bench.client.activateUpdate({ updateId, id: revision.id, ...content }, ada)
  }
  await apply(version(2, leaf(1n), kept, leaf(2n)))
  const other = leaf(4n)
  await apply(version(3, other, kept))
  assert.deepEqual(await leavesOf(revision), [kept.id, other.id].sort())
  assert.equal((await get(bench, revision)).sizeBytes, 7n)
  await apply(version(4))
  assert.deepEqual(await leavesOf(revision), [])
  assert.equal((await get(bench, revision)).sizeBytes, 0n)
})

test('without leaves the content stays: only time, version and log tell of it', async () => {
  const { figure, revision } = await plant()
  const leaves = await leavesOf(revision)
  const { node, updatedOn } = await updateContent(bench, revision.id)
  assert.deepEqual(node, { ...revision, version: 2, updatedBy: 'ada', updatedOn })
  assert.deepEqual(await leavesOf(revision), leaves)
  const [sums] = await sumsOf(bench, figure)
  assert.deepEqual(sums, { sizeBytes: 12n, childUpdatedOn: updatedOn, childUpdatedBy: 'ada' })
})

test('activation again, also at the same time, changes nothing and answers the same', async () => {
  const { workspace, revision } = await plant()
  const { id } = revision
  const { updateId } = await bench.client.reserveUpdate({ id }, ada)
  const request = { updateId, id, ...contentOf({ sizes: [9n] }) }
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => bench.client.activateUpdate(request, n % 2 ? ada : system)),
  )
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  const untouched = await contents(bench)
  const other = { updateId, id, ...contentOf({ sizes: [500n], version: 9 }) }
  assert.deepEqual(await bench.client.activateUpdate(other, ada), answers[0])
  await bench.client.abandonUpdate({ updateId }, ada)
  assert.deepEqual(await contents(bench), untouched)
  assert.equal((await get(bench, workspace)).sizeBytes, 9n)
  await refused(bench.client.activateUpdate(request, cyd), denied)
})

test('what is abandoned changes nothing, and can be activated no more', async () => {
  const { revision } = await plant()
  const { id } = revision
  const untouched = await contents(bench)
  const { updateId } = await bench.client.reserveUpdate({ id }, ada)
  await bench.client.abandonUpdate({ updateId }, bob)
  assert.equal((await holds()).length, 1)
  for (const as of [ada, system]) await bench.client.abandonUpdate({ updateId }, as)
  await bench.client.abandonUpdate({ updateId: 'x' }, ada)
  assert.deepEqual(await contents(bench), untouched)
  const request = { updateId, id, ...contentOf({ sizes: [9n] }) }
  assert.deepEqual((await bench.client.activateUpdate(request, ada)).node, revision)
  await refused(bench.client.abandonUpdate({ updateId }, nobody), unauthenticated)
})

test('of two updates that are activated in the wrong order the later one stays', async () => {
  const { ancestors, revision } = await plant()
  const { id } = revision
  const first = await bench.client.reserveUpdate({ id }, bob)
  const second = await bench.client.reserveUpdate({ id }, ada)
  const later = { updateId: second.updateId, id, ...contentOf({ sizes: [30n], version: 3 }) }
  await bench.client.activateUpdate(later, ada)
  const earlier = { updateId: first.updateId, id, ...contentOf({ sizes: [1n, 1n], version: 2 }) }
  const { node } = await bench.client.activateUpdate(earlier, bob)
  const { updatedOn } = second
  assert.deepEqual(node, {
    ...revision,
    ...{ sizeBytes: 30n, version: 3, updatedBy: 'ada', updatedOn },
  })
  const above = { sizeBytes: 30n, childUpdatedOn: updatedOn, childUpdatedBy: 'ada' }
  for (const folded of [false, true]) {
    if (folded) await bench.fold()
    assert.deepEqual(await sumsOf(bench, ...ancestors), [above, above, above])
  }
  assert.deepEqual(await leavesOf(revision), [later.leaves?.leaves[0]?.id])
  assert.deepEqual((await payloadsOf(revision)).length, 2)
})

test('eight updates at the same time: the sums are exact, and the time is the latest', async () => {
  const { workspace, analysis, ancestors, figure, revision } = await plant()
  const others = await Promise.all([
    makeRevision(bench, figure.id, [1n]),
    makeRevision(bench, (await make(bench, FIGURE, analysis.id)).id, [2n]),
    makeAssetRevision(bench, (await make(bench, ASSET, workspace.id)).id, [4n]),
  ])
  // Half of them of one revision, so that they are in each other's way.
  const changed = [revision, ...others, revision, revision, revision, ...others.slice(0, 1)]
  const versions = changed.map((one, n) => 2 + changed.slice(0, n).filter((x) => x === one).length)
  const updates = await Promise.all(
    changed.map(({ id }, n) =>
      updateContent(bench, id, { sizes: [BigInt(n + 1) * 100n], version: versions[n] ?? 0 }),
    ),
  )
  const sizeOf = async (one: Node) => (await get(bench, one)).sizeBytes
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
    if (folded) await bench.fold()
    const sums = await sumsOf(bench, ...ancestors)
    assert.deepEqual(
      sums.map((one) => [one.sizeBytes, one.childUpdatedOn]),
      [
        [2200n, latest(updates)],
        [1800n, below(revision, first, second)],
        [1500n, below(revision, first)],
      ],
    )
  }
  assert.equal((await get(bench, revision)).version, 5)
  assert.deepEqual(await holds(), [])
})

test('while one revision is updated, others are, and what is above them is changed', async () => {
  const { figure, revision } = await plant()
  const other = await makeRevision(bench, figure.id, [1n])
  const { updateId } = await bench.client.reserveUpdate({ id: revision.id }, ada)
  await bench.ctx.transact(async (tx) => {
    assert.ok(await lockForUpdate(tx, updateId, revision.id, 'ada'))
    await updateContent(bench, other.id, { sizes: [8n], growthBytes: 7n })
    await bench.client.updateNode({ id: figure.id, name: 'renamed' }, ada)
    const third = await makeRevision(bench, figure.id, [4n])
    assert.equal((await get(bench, figure)).sizeBytes, 24n)
    await bench.client.deleteNode({ id: third.id }, ada)
  })
  await bench.client.activateUpdate({ updateId, id: revision.id }, ada)
  assert.equal((await get(bench, figure)).sizeBytes, 20n)
})

for (const which of ['workspace', 'analysis', 'figure', 'revision'] as const) {
  test(`refused when its ${which} was deleted meanwhile; what was committed comes back with it`, async () => {
    const tree = await plant()
    const { id } = tree.revision
    const applied = await bench.client.reserveUpdate({ id }, ada)
    await bench.client.activateUpdate({ updateId: applied.updateId, id }, ada)
    const { updateId } = await bench.client.reserveUpdate({ id }, ada)
    await bench.client.deleteNode({ id: tree[which].id }, ada)
    const content = contentOf({ sizes: [10n, 1n] })
    for (const as of [ada, system]) {
      await refused(bench.client.activateUpdate({ updateId, id, ...content }, as), notFound)
      const again = { updateId: applied.updateId, id }
      await refused(bench.client.activateUpdate(again, as), notFound)
    }
    assert.deepEqual(await holds(), [])
    await bench.client.restoreNode({ id: tree[which].id }, ada)
    const sizes = [tree.revision, tree.figure, tree.analysis, tree.workspace].map(
      async (one) => (await get(bench, one)).sizeBytes,
    )
    assert.deepEqual(await Promise.all(sizes), [11n, 11n, 11n, 11n])
    await bench.fold()
    assert.equal((await get(bench, tree.workspace)).sizeBytes, 11n)
  })
}

test('an update of what is in two deletions counts up to the inner one', async () => {
  const { workspace, analysis, figure, revision } = await plant()
  const { id } = revision
  const { updateId } = await bench.client.reserveUpdate({ id }, ada)
  await bench.client.deleteNode({ id: figure.id }, ada)
  await bench.client.deleteNode({ id: analysis.id }, ada)
  const content = contentOf({ sizes: [11n] })
  await refused(bench.client.activateUpdate({ updateId, id, ...content }, ada), notFound)
  await bench.client.restoreNode({ id: analysis.id }, ada)
  assert.equal((await get(bench, workspace)).sizeBytes, 0n)
  await bench.client.restoreNode({ id: figure.id }, ada)
  assert.equal((await get(bench, workspace)).sizeBytes, 11n)
})

test('where the figure was moved meanwhile, the update counts in its new place', async () => {
  const { workspace, analysis, figure, revision } = await plant()
  const there = await make(bench, ANALYSIS, (await make(bench, WORKSPACE)).id)
  const { id } = revision
  const { updateId, updatedOn } = await bench.client.reserveUpdate({ id }, ada)
  await bench.client.updateNode({ id: figure.id, parentId: there.id }, ada)
  const request = { updateId, id, ...contentOf({ sizes: [50n] }) }
  const { node } = await bench.client.activateUpdate(request, ada)
  assert.deepEqual([node?.workspaceId, node?.updatedOn], [there.parentId, updatedOn])
  const sizes = await sumsOf(bench, workspace, analysis, there, figure)
  assert.deepEqual(
    sizes.map((sums) => sums.sizeBytes),
    [0n, 0n, 50n, 50n],
  )
  const [, entry] = await logOf(bench, id)
  assert.deepEqual([entry?.analysis_id, entry?.workspace_id], [there.id, there.parentId])
})

test('takes UPDATE, and is whose it is', async () => {
  const { figure, revision } = await plant()
  const { id } = revision
  await grant(bench, 'cyd', figure, 'viewer', 'share')
  const untouched = await contents(bench)
  const reserve = (as: typeof ada, more: object = {}) =>
    bench.client.reserveUpdate({ id, ...more }, as)
  for (const other of [id, newId(), 'x'])
    await refused(reserve(nobody, { id: other }), unauthenticated)
  for (const other of [{ id: newId() }, { id: 'x' }, { type: FIGURE }]) {
    await refused(reserve(ada, other), notFound)
  }
  await refused(reserve(cyd), denied)
  await refused(reserve(ada, { id: figure.id }), { code: 'InvalidArgument', field: 'type' })
  assert.deepEqual(await contents(bench), untouched)

  const { updateId } = await reserve(bob, { type: revision.type })
  const activate = (as: typeof ada, more: object = {}) =>
    bench.client.activateUpdate({ updateId, id, ...more }, as)
  await refused(activate(nobody), unauthenticated)
  for (const as of [ada, cyd]) await refused(activate(as), denied)
  await refused(activate(bob, { updateId: 'x' }), notFound)
  await refused(activate(bob, { id: figure.id }), notFound)
  await refused(activate(bob, { id: 'x' }), notFound)
  // He began it while he was allowed to.
  await bench.query(`delete from access_grant where subject = 'bob'`)
  assert.equal((await activate(bob)).node?.updatedBy, 'bob')
  await refused(activate(bob), denied)
})

test('leaves that would spoil the sums are refused', async () => {
  const { figure, revision } = await plant()
  const { id } = revision
  const foreign = leaf(1n)
  const other = await bench.client.reserve({ type: revision.type, parentId: figure.id }, ada)
  await bench.client.activate({ id: other.id, leaves: [foreign] }, ada)
  const { updateId } = await bench.client.reserveUpdate({ id }, ada)
  const untouched = await contents(bench)
  const activate = (leaves: { id: string; sizeBytes: bigint }[], contentVersion = 2) =>
    bench.client.activateUpdate({ updateId, id, leaves: { leaves }, contentVersion }, ada)
  const bad = (field: string) => ({ code: 'InvalidArgument', field }) as const
  await refused(activate([leaf(-1n)]), bad('leaves'))
  await refused(activate([{ id: 'x', sizeBytes: 1n }]), bad('leaves'))
  await refused(activate([foreign, foreign]), bad('leaves'))
  await refused(activate([], 0), bad('content_version'))
  await refused(activate([foreign]), { code: 'AlreadyExists', error: 'duplicate_leaf' })
  assert.deepEqual(await contents(bench), untouched)
  await bench.client.abandonUpdate({ updateId }, ada)
})
