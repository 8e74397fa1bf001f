import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt'
import type { Node, NodeType } from '@figbase/proto/catalog'
import {
  ada,
  assertError,
  bob,
  createNode,
  createRevision,
  createTree,
  cyd,
  FIGURE,
  FIGURE_REVISION,
  get,
  nobody,
  ORGANIZATION,
  startTestCatalog,
  type TestCatalog,
  unauthenticated,
  updateContent,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

const longAgo = create(TimestampSchema, { seconds: 0n })

async function changedSince(
  type: NodeType,
  updatedAfter: Timestamp,
  { as = ada, pageSize = 1000 } = {},
) {
  const nodes: Node[] = []
  let pageToken = ''
  do {
    const request = { type, pageSize, pageToken, updatedAfter }
    const page = await catalog.client.listNodes(request, as)
    nodes.push(...page.nodes)
    pageToken = page.nextPageToken
  } while (pageToken)
  return nodes
}

const idsOf = (nodes: Node[]) => nodes.map((node) => node.id)
const timeOf = ({ createdOn }: Node): Timestamp => createdOn ?? longAgo
const rename = (node: Node, name = 'renamed') =>
  catalog.client.updateNode({ id: node.id, type: node.type, name }, ada)

test('lists what was created or updated itself since, in the order of the changes', async () => {
  const { analysis, figure } = await createTree(catalog)
  const second = await createNode(catalog, FIGURE, analysis.id)
  const third = await createNode(catalog, FIGURE, analysis.id)
  await rename(figure)
  const fourth = await createNode(catalog, FIGURE, analysis.id)
  await rename(second)
  // A change below a node does not count.
  await createRevision(catalog, third.id)
  for (const pageSize of [1, 2, 1000]) {
    const since = await changedSince(FIGURE, timeOf(third), { pageSize })
    assert.deepEqual(idsOf(since), idsOf([figure, fourth, second]), `pages of ${pageSize}`)
  }
  await catalog.client.deleteNode({ id: figure.id }, ada)
  assert.deepEqual(idsOf(await changedSince(FIGURE, timeOf(third))), idsOf([fourth, second]))
})

test('an update of the content of a revision counts', async () => {
  const { figure } = await createTree(catalog)
  const first = await createRevision(catalog, figure.id, [1n])
  const second = await createRevision(catalog, figure.id, [1n])
  await updateContent(catalog, first.id, { sizes: [2n] })
  assert.deepEqual(idsOf(await changedSince(FIGURE_REVISION, timeOf(second))), [first.id])
})

test('lists and counts what is shared, and what is in the workspaces of an organization', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const seenBy = async (as: typeof bob) => {
    const nodes = await changedSince(FIGURE, longAgo, { as })
    const { count } = await catalog.client.countNodes({ type: FIGURE }, as)
    assert.equal(count, nodes.length)
    return idsOf(nodes)
  }
  assert.deepEqual(await seenBy(bob), [])
  const share = { username: 'bob', enabled: true }
  await catalog.client.setUserShare({ id: figure.id, type: FIGURE, ...share }, ada)
  assert.deepEqual(await seenBy(bob), [figure.id])
  await catalog.client.setUserShare({ id: analysis.id, type: analysis.type, ...share }, ada)
  const other = await createNode(catalog, FIGURE, analysis.id)
  assert.deepEqual(await seenBy(bob), [figure.id, other.id])
  await catalog.fold()
  assert.deepEqual(await seenBy(bob), [figure.id, other.id])
  await catalog.client.deleteNode({ id: workspace.id }, ada)
  assert.deepEqual(await seenBy(bob), [])

  const organization = await createNode(catalog, ORGANIZATION, '', cyd)
  const inIt = await createNode(catalog, WORKSPACE, organization.id, cyd)
  for (const type of [ORGANIZATION, WORKSPACE]) {
    const nodes = await changedSince(type, longAgo, { as: cyd })
    assert.ok(idsOf(nodes).includes(type === WORKSPACE ? inIt.id : organization.id))
    const { count } = await catalog.client.countNodes({ type }, cyd)
    assert.equal(count, nodes.length)
  }
})

test('counts need a caller, and a type that is counted', async () => {
  await assertError(catalog.client.countNodes({ type: FIGURE }, nobody), unauthenticated)
  const bad = { code: 'InvalidArgument', field: 'type' } as const
  await assertError(catalog.client.countNodes({ type: FIGURE_REVISION }, ada), bad)
  await assertError(catalog.client.countNodes({}, ada), bad)
})

test('each change below a node is counted once, folded or not', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const countsOf = async () => {
    const nodes = await Promise.all([workspace, analysis, figure].map((node) => get(catalog, node)))
    return nodes.map((node) => node.changesBelow)
  }
  const revision = await createRevision(catalog, figure.id, [1n])
  const changes: (() => Promise<unknown>)[] = [
    () => updateContent(catalog, revision.id, { sizes: [2n] }),
    () => catalog.client.deleteNode({ id: revision.id, type: revision.type }, ada),
    () => catalog.client.restoreNode({ id: revision.id, type: revision.type }, ada),
  ]
  for (const change of changes) {
    const before = await countsOf()
    await change()
    const after = await countsOf()
    assert.deepEqual(
      after,
      before.map((count) => count + 1n),
    )
    await catalog.fold()
    assert.deepEqual(await countsOf(), after)
  }
})
