import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Code, ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit'
import { randomFrom } from '@figbase/kit/testing'
import { type Node, NodeType } from '@figbase/proto/catalog'
import { userNamed } from '../src/domain/subject.js'
import { findNode } from '../src/queries/nodes.js'
import {
  ANALYSIS,
  ASSET,
  ASSET_REVISION,
  ada,
  type Bench,
  bob,
  FIGURE,
  FIGURE_REVISION,
  get,
  leaf,
  notFound,
  refused,
  startBench,
  WORKSPACE,
} from './bench.js'
import { isDeleted, type ModelNode, ModelTree, microsOf, parentOf } from './random-tree.js'

const seed = 20261121
const clients = 8
const stepsEach = 50

test(`whatever is done at the same time, the sums are right in the end (seed ${seed})`, async (t) => {
  await using bench = await startBench({ env: { DATABASE_CONNECTIONS_MAX: '12' } })
  const model = new ModelTree()
  const outcomes: Record<string, number> = {}
  for (let n = 0; n < 2; n++) await plant(bench, model)

  let ended = false
  const folding = (async () => {
    for (; !ended; await turn()) await bench.fold()
  })()
  const working = Promise.all(
    Array.from({ length: clients }, async (_, n) => {
      const random = randomFrom(seed + n)
      for (let step = 0; step < stepsEach; step++) {
        const outcome = await attempt(() => act(bench, model, random, n % 2 ? ada : bob))
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      }
    }),
  )
  await working.finally(() => {
    ended = true
    return folding
  })
  t.diagnostic(`${model.nodes.length} nodes; ${JSON.stringify(outcomes)}`)

  assert.ok((outcomes.restored ?? 0) > 0, 'nothing was restored')
  await recordDeletes(bench, model)
  await verify(bench, model)
  await bench.fold()
  await verify(bench, model)
})

/** A workspace that both callers own, with something in it. */
async function plant(bench: Bench, model: ModelTree) {
  const { node } = await bench.client.createNode({ type: WORKSPACE, name: 'w' }, ada)
  assert.ok(node)
  await bench.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('bob', '${node.id}', 'member', 'owner', 'ada')`)
  const workspace = model.add(node, undefined)
  const analysis = await create(bench, model, ANALYSIS, workspace, ada)
  const figure = await create(bench, model, FIGURE, analysis, ada)
  const asset = await create(bench, model, ASSET, workspace, ada)
  for (const parent of [figure, asset]) await publish(bench, model, parent, () => 0.5, ada)
}

type As = typeof ada

async function act(bench: Bench, model: ModelTree, random: () => number, as: As) {
  const pick = (...types: NodeType[]) => {
    const some = model.nodes.filter((node) => types.includes(node.type))
    // Mostly the newest, which others are busy with too.
    const one = some[some.length - 1 - Math.floor(random() ** 3 * some.length)]
    assert.ok(one)
    return one
  }
  const dice = random()
  if (dice < 0.08) return create(bench, model, ANALYSIS, pick(WORKSPACE), as)
  if (dice < 0.24) return create(bench, model, FIGURE, pick(ANALYSIS), as)
  if (dice < 0.3) return create(bench, model, ASSET, pick(WORKSPACE), as)
  if (dice < 0.48) return publish(bench, model, pick(FIGURE), random, as)
  if (dice < 0.56) return publish(bench, model, pick(ASSET), random, as)
  if (dice < 0.7) {
    return change(bench, model, pick(FIGURE_REVISION, ASSET_REVISION), random, as)
  }
  if (dice < 0.8) return update(bench, pick(WORKSPACE, ANALYSIS, FIGURE, ASSET), random, as)
  if (dice < 0.85) return move(bench, model, pick(FIGURE), pick(ANALYSIS), as)
  if (dice < 0.88) return move(bench, model, pick(ANALYSIS), pick(WORKSPACE), as)
  if (dice < 0.9) return move(bench, model, pick(ASSET), pick(WORKSPACE), as)
  if (dice < 0.95) return restore(bench, model, random, as)
  // Rarely something large.
  const types =
    random() < 0.75 ? [FIGURE_REVISION, ASSET_REVISION, FIGURE, ASSET] : [ANALYSIS, WORKSPACE]
  const some = model.nodes.filter((node) => types.includes(node.type))
  const workspaces = model.nodes.filter((node) => node.type === WORKSPACE)
  const one = some[Math.floor(random() * some.length)]
  // One workspace stays, so that there is something to do and to verify.
  if (!one || one === workspaces[0]) return
  await bench.client.deleteNode({ id: one.id, type: one.type }, as)
  one.deletions++
}

/** Also what is there, or is in something that was deleted or moved: that is refused. */
async function restore({ client }: Bench, model: ModelTree, random: () => number, as: As) {
  const some = model.nodes.filter(isDeleted)
  const one = some[Math.floor(random() * some.length)]
  if (!one) return
  await client.restoreNode({ id: one.id, type: one.type }, as)
  one.restorations++
  return 'restored'
}

async function create(
  bench: Bench,
  model: ModelTree,
  type: NodeType,
  parent: ModelNode,
  as: As,
): Promise<ModelNode> {
  const { node } = await bench.client.createNode({ type, parentId: parent.id, name: 'n' }, as)
  assert.ok(node)
  return model.add(node, parent)
}

async function publish(
  { client }: Bench,
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
  const calls = onceOrTwice(random, () => client.activate({ id, leaves }, as))
  // One may have made it visible, and the other have met a delete.
  await Promise.allSettled(calls)
  const { node } = await Promise.any(calls).catch(() => client.activate({ id, leaves }, as))
  assert.ok(node)
  assert.equal(node.sizeBytes, sumOf(leaves))
  model.add(node, parent, sumOf(leaves))
}

async function change(
  { client }: Bench,
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
  const calls = onceOrTwice(random, () => client.activateUpdate(request, as))
  await Promise.allSettled(calls)
  const by = as === ada ? 'ada' : 'bob'
  try {
    await Promise.any(calls).catch(() => client.activateUpdate(request, as))
  } catch (error) {
    // Deleted meanwhile: it is applied, and nobody sees it until it is restored.
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

const onceOrTwice = <T>(random: () => number, call: () => Promise<T>) =>
  Array.from({ length: random() < 0.2 ? 2 : 1 }, call)

async function update({ client }: Bench, one: ModelNode, random: () => number, as: As) {
  const condition = random() < 0.5 && { expectedVersion: 1 + one.updates }
  const request = { id: one.id, name: `name ${random()}`, ...condition }
  const { node } = await client.updateNode(request, as)
  assert.ok(node?.updatedBy)
  one.updates++
  one.events.push({ at: microsOf(node.updatedOn), by: node.updatedBy })
}

async function move(
  { client }: Bench,
  model: ModelTree,
  one: ModelNode,
  parent: ModelNode,
  as: As,
) {
  // Named as its own parent, it would only be updated.
  if (one.places.some((place) => place.parent === parent)) return
  const { node } = await client.updateNode({ id: one.id, parentId: parent.id }, as)
  assert.ok(node)
  model.move(one, parent, node)
}

/** What a caller saw: only what the specification has an answer for. */
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

/** A delete and a restoration do not answer when they were: their entries know. */
async function recordDeletes({ query }: Bench, model: ModelTree) {
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

async function verify(bench: Bench, model: ModelTree) {
  for (const type of [WORKSPACE, ANALYSIS, FIGURE, FIGURE_REVISION, ASSET, ASSET_REVISION]) {
    const live = model.nodes.filter((node) => node.type === type && model.isLive(node))
    const { nodes } = await bench.client.listNodes({ type }, ada)
    assert.deepEqual(nodes.map((node) => node.id).sort(), live.map((node) => node.id).sort())
  }
  for (const one of model.nodes) {
    const { id, type } = one
    if (!model.isLive(one)) {
      await refused(bench.client.getNode({ id, type }, ada), notFound)
      await refused(bench.client.listChildren({ parentId: id, type: FIGURE }, ada), notFound)
      continue
    }
    const node = await get(bench, one)
    assert.equal(node.sizeBytes, model.sizeOf(one), `the size of ${NodeType[type]} ${id}`)
    assert.equal(node.version, 1 + one.updates)
    const newest = model.newestBelow(one)
    // Whether a late update reached it depends on what was deleted.
    if (!model.below(one).some((below) => below.isLate)) {
      assert.equal(microsOf(node.childUpdatedOn), newest[0]?.at ?? 0n, `the time of ${id}`)
      if (newest.length === 1) assert.equal(node.childUpdatedBy, newest[0]?.by)
    }
    const children = model.nodes.filter((child) => parentOf(child) === one && model.isLive(child))
    assert.equal((await findNode(bench.ctx.db, id, userNamed('ada')))?.children, children.length)
    const [least, most] = model.eventsAtOrBelow(one)
    const length = await lengthOfLog(bench, one)
    assert.ok(
      least <= length && length <= most,
      `the log of ${id}: ${length}, not ${least} to ${most}`,
    )
    if (type === WORKSPACE) await verifyOverview(bench, model, one)
  }
  // A move is an update where another one had moved it there before. It has an entry more for the
  // place that it left.
  const logged = await bench.query<{ target_id: string; action: string; n: number }>(`
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

async function lengthOfLog({ client }: Bench, { id, type }: ModelNode) {
  let length = 0
  let pageToken = ''
  do {
    const page = await client.listActivity({ id, type, pageSize: 100, pageToken }, ada)
    length += page.entries.length
    pageToken = page.nextPageToken
  } while (pageToken)
  return length
}

/** The counts are those of what is live, and what is recent comes in the order of its last activity. */
async function verifyOverview({ client }: Bench, model: ModelTree, workspace: ModelNode) {
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
