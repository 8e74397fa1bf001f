import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Code, ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { seededRandom } from '@figbase/kit/testing'
import { type Node, NodeType } from '@figbase/proto/catalog'
import { subjectFor } from '../src/domain/subject.js'
import { findNode } from '../src/queries/nodes.js'
import { isDeleted, type ModelNode, ModelTree, microsOf, parentOf } from './random-tree.js'
import {
  ANALYSIS,
  ASSET,
  ASSET_REVISION,
  ada,
  assertError,
  bob,
  FIGURE,
  FIGURE_REVISION,
  get,
  leaf,
  notFound,
  startTestCatalog,
  type TestCatalog,
  WORKSPACE,
} from './test-service.js'

const seed = 20261121
const clients = 8
const stepsEach = 50

test(`sums are correct after concurrent changes (seed ${seed})`, async (t) => {
  await using catalog = await startTestCatalog({ env: { DATABASE_CONNECTIONS_MAX: '12' } })
  const model = new ModelTree()
  const outcomes: Record<string, number> = {}
  for (let n = 0; n < 2; n++) await createSharedTree(catalog, model)

  let ended = false
  const folding = (async () => {
    for (; !ended; await turn()) await catalog.fold()
  })()
  const working = Promise.all(
    Array.from({ length: clients }, async (_, n) => {
      const random = seededRandom(seed + n)
      for (let step = 0; step < stepsEach; step++) {
        const outcome = await attempt(() => randomAction(catalog, model, random, n % 2 ? ada : bob))
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      }
    }),
  )
  await working.finally(() => {
    ended = true
    return folding
  })
  t.diagnostic(`${model.nodes.length} nodes; ${JSON.stringify(outcomes)}`)

  assert.ok((outcomes.restored ?? 0) > 0, 'no node was restored')
  await recordDeletes(catalog, model)
  await verify(catalog, model)
  await catalog.fold()
  await verify(catalog, model)
})

/** A workspace with content that both callers own. */
async function createSharedTree(catalog: TestCatalog, model: ModelTree) {
  const { node } = await catalog.client.createNode({ type: WORKSPACE, name: 'w' }, ada)
  assert.ok(node)
  await catalog.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('bob', '${node.id}', 'member', 'owner', 'ada')`)
  const workspace = model.add(node, undefined)
  const analysis = await create(catalog, model, ANALYSIS, workspace, ada)
  const figure = await create(catalog, model, FIGURE, analysis, ada)
  const asset = await create(catalog, model, ASSET, workspace, ada)
  for (const parent of [figure, asset]) await publish(catalog, model, parent, () => 0.5, ada)
}

type As = typeof ada

async function randomAction(catalog: TestCatalog, model: ModelTree, random: () => number, as: As) {
  const pick = (...types: NodeType[]) => {
    const some = model.nodes.filter((node) => types.includes(node.type))
    // Mostly the newest nodes, which other callers also change.
    const one = some[some.length - 1 - Math.floor(random() ** 3 * some.length)]
    assert.ok(one)
    return one
  }
  const roll = random()
  if (roll < 0.08) return create(catalog, model, ANALYSIS, pick(WORKSPACE), as)
  if (roll < 0.24) return create(catalog, model, FIGURE, pick(ANALYSIS), as)
  if (roll < 0.3) return create(catalog, model, ASSET, pick(WORKSPACE), as)
  if (roll < 0.48) return publish(catalog, model, pick(FIGURE), random, as)
  if (roll < 0.56) return publish(catalog, model, pick(ASSET), random, as)
  if (roll < 0.7) {
    return change(catalog, model, pick(FIGURE_REVISION, ASSET_REVISION), random, as)
  }
  if (roll < 0.8) return update(catalog, pick(WORKSPACE, ANALYSIS, FIGURE, ASSET), random, as)
  if (roll < 0.85) return move(catalog, model, pick(FIGURE), pick(ANALYSIS), as)
  if (roll < 0.88) return move(catalog, model, pick(ANALYSIS), pick(WORKSPACE), as)
  if (roll < 0.9) return move(catalog, model, pick(ASSET), pick(WORKSPACE), as)
  if (roll < 0.95) return restore(catalog, model, random, as)
  // Rarely deletes a large subtree.
  const types =
    random() < 0.75 ? [FIGURE_REVISION, ASSET_REVISION, FIGURE, ASSET] : [ANALYSIS, WORKSPACE]
  const some = model.nodes.filter((node) => types.includes(node.type))
  const workspaces = model.nodes.filter((node) => node.type === WORKSPACE)
  const one = some[Math.floor(random() * some.length)]
  // Keeps one workspace, so that nodes remain to change and verify.
  if (!one || one === workspaces[0]) return
  await catalog.client.deleteNode({ id: one.id, type: one.type }, as)
  one.deletions++
}

/** Also chooses live nodes and nodes below deleted or moved ones: their restoration is rejected. */
async function restore({ client }: TestCatalog, model: ModelTree, random: () => number, as: As) {
  const some = model.nodes.filter(isDeleted)
  const one = some[Math.floor(random() * some.length)]
  if (!one) return
  await client.restoreNode({ id: one.id, type: one.type }, as)
  one.restorations++
  return 'restored'
}

async function create(
  catalog: TestCatalog,
  model: ModelTree,
  type: NodeType,
  parent: ModelNode,
  as: As,
): Promise<ModelNode> {
  const { node } = await catalog.client.createNode({ type, parentId: parent.id, name: 'n' }, as)
  assert.ok(node)
  return model.add(node, parent)
}

async function publish(
  { client }: TestCatalog,
  model: ModelTree,
  parent: ModelNode,
  random: () => number,
  as: As,
) {
  const type = parent.type === ASSET ? ASSET_REVISION : FIGURE_REVISION
  const { id } = await client.reserve({ type, parentId: parent.id }, as)
  if (random() < 0.1) {
    await client.abandon({ id }, as)
    return
  }
  const leaves = someLeaves(random)
  const calls = repeatSometimes(random, () => client.activate({ id, leaves }, as))
  // One call may have activated the node while the other failed because of a deletion.
  await Promise.allSettled(calls)
  const { node } = await Promise.any(calls).catch(() => client.activate({ id, leaves }, as))
  assert.ok(node)
  assert.equal(node.sizeBytes, sumOf(leaves))
  model.add(node, parent, sumOf(leaves))
}

async function change(
  { client }: TestCatalog,
  model: ModelTree,
  one: ModelNode,
  random: () => number,
  as: As,
) {
  const { id } = one
  const { updateId, updatedOn } = await client.reserveUpdate({ id }, as)
  if (random() < 0.1) {
    await client.abandonUpdate({ updateId }, as)
    return
  }
  const contentVersion = ++one.begun
  const leaves = random() < 0.2 ? undefined : someLeaves(random)
  const request = { updateId, id, contentVersion, ...(leaves && { leaves: { leaves } }) }
  const calls = repeatSometimes(random, () => client.activateUpdate(request, as))
  await Promise.allSettled(calls)
  const by = as === ada ? 'ada' : 'bob'
  try {
    await Promise.any(calls).catch(() => client.activateUpdate(request, as))
  } catch (error) {
    // The node was deleted meanwhile: the update is applied, and visible after a restoration.
    one.isLate = true
    throw error
  } finally {
    model.change(one, microsOf(updatedOn), by, contentVersion, leaves && sumOf(leaves))
  }
}

const someLeaves = (random: () => number) =>
  Array.from({ length: Math.floor(random() * 4) }, () => leaf(BigInt(Math.floor(random() * 1e9))))

const sumOf = (leaves: ReturnType<typeof leaf>[]) =>
  leaves.reduce((sum, one) => sum + one.sizeBytes, 0n)

const repeatSometimes = <T>(random: () => number, call: () => Promise<T>) =>
  Array.from({ length: random() < 0.2 ? 2 : 1 }, call)

async function update({ client }: TestCatalog, one: ModelNode, random: () => number, as: As) {
  const condition = random() < 0.5 && { expectedVersion: 1 + one.updates }
  const request = { id: one.id, name: `name ${random()}`, ...condition }
  const { node } = await client.updateNode(request, as)
  assert.ok(node?.updatedBy)
  one.updates++
  one.events.push({ at: microsOf(node.updatedOn), by: node.updatedBy })
}

async function move(
  { client }: TestCatalog,
  model: ModelTree,
  one: ModelNode,
  parent: ModelNode,
  as: As,
) {
  // With its current parent, the node would only be updated.
  if (one.places.some((place) => place.parent === parent)) return
  const { node } = await client.updateNode({ id: one.id, parentId: parent.id }, as)
  assert.ok(node)
  model.move(one, parent, node)
}

/** The outcome of a call. Fails for errors that the specification does not allow. */
async function attempt(step: () => Promise<unknown>): Promise<string> {
  try {
    const done = await step()
    return typeof done === 'string' ? done : 'done'
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error
    const detail = detailOf(error)
    const outcome = `${Code[error.code]} ${detail?.fields[0]?.field ?? detail?.error}`
    const expected = [
      'NotFound not_found',
      'InvalidArgument workspace',
      'InvalidArgument analysis',
      'InvalidArgument figure',
      'InvalidArgument asset',
      'FailedPrecondition version_mismatch',
      'FailedPrecondition not_deleted',
      'FailedPrecondition parent_deleted',
      'FailedPrecondition parent_moved',
    ]
    assert.ok(expected.includes(outcome), `${outcome}: ${error.message}`)
    return outcome
  }
}

/** Reads the times of deletions and restorations from their entries, since the responses do not contain them. */
async function recordDeletes({ query }: TestCatalog, model: ModelTree) {
  const rows = await query<{ target_id: string; at: bigint; by: string }>(`select target_id,
    (extract(epoch from at) * 1000000)::bigint as at, actor as by from activity
    where action in ('delete', 'restore')`)
  for (const { target_id, at, by } of rows) {
    model.nodes.find((node) => node.id === target_id)?.events.push({ at, by })
  }
  const tombstones = await query<{ node_id: string }>('select node_id from tombstone')
  const deleted = model.nodes.filter(isDeleted)
  assert.deepEqual(
    tombstones.map((row) => row.node_id).sort(),
    deleted.map((node) => node.id).sort(),
  )
}

async function verify(catalog: TestCatalog, model: ModelTree) {
  for (const type of [WORKSPACE, ANALYSIS, FIGURE, FIGURE_REVISION, ASSET, ASSET_REVISION]) {
    const live = model.nodes.filter((node) => node.type === type && model.isLive(node))
    const { nodes } = await catalog.client.listNodes({ type }, ada)
    assert.deepEqual(nodes.map((node) => node.id).sort(), live.map((node) => node.id).sort())
  }
  for (const one of model.nodes) {
    const { id, type } = one
    if (!model.isLive(one)) {
      await assertError(catalog.client.getNode({ id, type }, ada), notFound)
      await assertError(catalog.client.listChildren({ parentId: id, type: FIGURE }, ada), notFound)
      continue
    }
    const node = await get(catalog, one)
    assert.equal(node.sizeBytes, model.sizeOf(one), `the size of ${NodeType[type]} ${id}`)
    assert.equal(node.version, 1 + one.updates)
    const newest = model.newestBelow(one)
    // The deleted ancestors decide whether a late update changed its sums.
    if (!model.below(one).some((below) => below.isLate)) {
      assert.equal(microsOf(node.childUpdatedOn), newest[0]?.at ?? 0n, `the time of ${id}`)
      if (newest.length === 1) assert.equal(node.childUpdatedBy, newest[0]?.by)
    }
    const children = model.nodes.filter((child) => parentOf(child) === one && model.isLive(child))
    assert.equal((await findNode(catalog.ctx.db, id, subjectFor('ada')))?.children, children.length)
    const [least, most] = model.eventsAtOrBelow(one)
    const length = await lengthOfLog(catalog, one)
    assert.ok(
      least <= length && length <= most,
      `the log of ${id}: ${length}, not ${least} to ${most}`,
    )
    if (type === WORKSPACE) await verifyOverview(catalog, model, one)
  }
  // A move to the current parent is an update. Other moves have one more entry for the old place.
  const logged = await catalog.query<{ target_id: string; action: string; n: number }>(`
    select target_id, replace(action, 'move', 'update') as action,
           count(*)::int as n from activity where not is_departure group by 1, 2`)
  const entries = model.nodes.flatMap(({ id, updates, deletions, restorations }) => [
    `${id} create 1`,
    ...(updates ? [`${id} update ${updates}`] : []),
    ...(deletions ? [`${id} delete ${deletions}`] : []),
    ...(restorations ? [`${id} restore ${restorations}`] : []),
  ])
  assert.deepEqual(
    logged.map((row) => `${row.target_id} ${row.action} ${row.n}`).sort(),
    entries.sort(),
  )
}

async function lengthOfLog({ client }: TestCatalog, { id, type }: ModelNode) {
  let length = 0
  let pageToken = ''
  do {
    const page = await client.listActivity({ id, type, pageSize: 100, pageToken }, ada)
    length += page.entries.length
    pageToken = page.nextPageToken
  } while (pageToken)
  return length
}

/** Checks the counts of live nodes, and the order of recent nodes by their last activity. */
async function verifyOverview({ client }: TestCatalog, model: ModelTree, workspace: ModelNode) {
  const below = model.below(workspace).filter((one) => model.isLive(one))
  const live = (type: NodeType) => below.filter((one) => one.type === type).length
  const { $typeName: _, ...overview } = await client.getOverview({ workspaceId: workspace.id }, ada)
  const [analyses, figures, assets] = [live(ANALYSIS), live(FIGURE), live(ASSET)]
  const activeThisWeek = analyses + figures + assets
  assert.deepEqual(overview, { analyses, figures, assets, stories: 0, activeThisWeek })
  for (const type of [ANALYSIS, FIGURE, ASSET]) {
    const request = { workspaceId: workspace.id, type }
    const { nodes } = await client.listRecent(request, ada)
    assert.equal(nodes.length, live(type))
    const times = nodes.map(lastActivity)
    assert.deepEqual(
      times,
      [...times].sort((one, other) => Number(other - one)),
    )
    const { nodes: first } = await client.listRecent({ ...request, pageSize: 3 }, ada)
    assert.deepEqual(first.map(lastActivity), times.slice(0, 3))
  }
}

const lastActivity = ({ createdOn, updatedOn, childUpdatedOn }: Node) =>
  [createdOn, updatedOn, childUpdatedOn]
    .map(microsOf)
    .sort((one, other) => Number(other - one))
    .at(0) ?? 0n
