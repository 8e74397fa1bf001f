import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Node } from '@figbase/proto/catalog'
import { settlePending } from '../src/periodic/settle-pending.js'
import {
  ada,
  assertError,
  createNode,
  createRevision,
  createTree,
  cyd,
  denied,
  FIGURE,
  get,
  grant,
  logOf,
  ORGANIZATION,
  STORY,
  startTestCatalog,
  sumsOf,
  system,
  type TestCatalog,
  type Tree,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
let tree: Tree
before(async () => {
  catalog = await startTestCatalog({
    env: { PENDING_SETTLE_AFTER: '10m', DELETED_RETENTION: '0s' },
  })
})
after(() => catalog[Symbol.asyncDispose]())
beforeEach(async () => {
  tree = await createTree(catalog)
})

const reserve = (texts: { name: string; description?: string } | undefined, as = ada) =>
  catalog.client.reserve({ type: STORY, parentId: tree.workspace.id, ...(texts && { texts }) }, as)

async function createStory(name = 'Seasons', ownBytes = 10n): Promise<Node> {
  const { id } = await reserve({ name, description: 'd' })
  const { node } = await catalog.client.activate({ id, ownBytes }, ada)
  assert.ok(node)
  return node
}

const own = (contentVersion: number, name: string, ownBytes: bigint) => ({
  leaves: { leaves: [] },
  contentVersion,
  texts: { name },
  ownBytes,
})

test('a story is reserved with its name, and counts with its own bytes', async () => {
  const before = await sumsOf(catalog, tree.workspace)
  const { id } = await reserve({ name: 'Seasons', description: 'd' })
  await assertError(catalog.client.getNode({ id }, ada), { code: 'NotFound' })
  const { node } = await catalog.client.activate({ id, ownBytes: 10n }, ada)
  assert.deepEqual([node?.type, node?.name, node?.description], [STORY, 'Seasons', 'd'])
  assert.deepEqual([node?.parentId, node?.sizeBytes], [tree.workspace.id, 10n])
  const after = await sumsOf(catalog, tree.workspace)
  assert.notDeepEqual(after, before)
  assert.equal((await get(catalog, tree.workspace)).sizeBytes, tree.workspace.sizeBytes + 10n)
  const { stories } = await catalog.client.getOverview({ workspaceId: tree.workspace.id }, ada)
  assert.equal(stories, 1)
  const entries = await logOf(catalog, id)
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['create'],
  )
})

test('a reservation checks the texts, the parent and the permission', async () => {
  for (const texts of [undefined, { name: '' }, { name: 'a\0' }]) {
    await assertError(reserve(texts), { code: 'InvalidArgument', field: 'name' })
  }
  const inAnalysis = { type: STORY, parentId: tree.analysis.id, texts: { name: 'a' } }
  await assertError(catalog.client.reserve(inAnalysis, ada), {
    code: 'InvalidArgument',
    field: 'workspace',
  })
  await assertError(reserve({ name: 'a' }, cyd), denied)
  const { id } = await reserve({ name: 'a' })
  const negative = catalog.client.activate({ id, ownBytes: -1n }, ada)
  await assertError(negative, { code: 'InvalidArgument', field: 'own_bytes' })
})

test('an update sets the texts and the size of its version, unless a later one came first', async () => {
  const story = await createStory()
  const reserved = async (name: string) =>
    (await catalog.client.reserveUpdate({ id: story.id, texts: { name } }, ada)).updateId
  const [first, second] = [await reserved('First'), await reserved('Second')]
  const apply = async (updateId: string, version: number, name: string, bytes: bigint) =>
    (
      await catalog.client.activateUpdate(
        { updateId, id: story.id, ...own(version, name, bytes) },
        ada,
      )
    ).node
  const later = await apply(second, 3, 'Second', 30n)
  assert.deepEqual([later?.name, later?.description, later?.sizeBytes], ['Second', undefined, 30n])
  const earlier = await apply(first, 2, 'First', 20n)
  assert.deepEqual([earlier?.name, earlier?.sizeBytes], ['Second', 30n])
  assert.equal((await get(catalog, tree.workspace)).sizeBytes, tree.workspace.sizeBytes + 30n)
  const bad = catalog.client.reserveUpdate({ id: story.id, texts: { name: '' } }, ada)
  await assertError(bad, { code: 'InvalidArgument', field: 'name' })
})

test('UpdateNode only moves a story', async () => {
  const story = await createStory()
  const update = (change: object) =>
    catalog.client.updateNode({ id: story.id, type: STORY, ...change }, ada)
  const refused = { code: 'InvalidArgument', field: 'type' } as const
  await assertError(update({ name: 'x' }), refused)
  await assertError(update({}), refused)
  await assertError(update({ parentId: tree.workspace.id }), refused)
  const other = await createNode(catalog, WORKSPACE)
  await assertError(update({ parentId: other.id, name: 'x' }), refused)
  const { node } = await update({ parentId: other.id })
  assert.deepEqual([node?.workspaceId, node?.name], [other.id, 'Seasons'])
  assert.equal((await get(catalog, other)).sizeBytes, 10n)
  await grant(catalog, 'cyd', other, 'viewer')
  await assertError(
    catalog.client.updateNode({ id: story.id, type: STORY, parentId: tree.workspace.id }, cyd),
    denied,
  )
})

test('reservations are settled by the service that owns them, even if another one fails', async () => {
  const old = async (id: string) =>
    catalog.query(`update node set created_on = now() - interval '11 min' where id = '${id}'`)
  const [kept, lost] = [(await reserve({ name: 'a' })).id, (await reserve({ name: 'b' })).id]
  const revision = await catalog.client.reserve({ type: 5, parentId: tree.figure.id }, ada)
  for (const id of [kept, lost, revision.id]) await old(id)
  const left = async () => {
    const ids = [kept, lost, revision.id].map((id) => `'${id}'`).join()
    const rows = await catalog.query<{ id: string }>(`select id from node where id in (${ids})`)
    return rows.map(({ id }) => id).sort()
  }
  catalog.stories.stored = undefined
  const { signal } = new AbortController()
  await settlePending.run(catalog.ctx, signal)
  assert.deepEqual(await left(), [kept, lost].sort(), 'stories wait for their service')
  catalog.stories.stored = new Set([kept])
  await settlePending.run(catalog.ctx, signal)
  assert.deepEqual(await left(), [kept])

  const story = await createStory()
  const { updateId } = await catalog.client.reserveUpdate(
    { id: story.id, texts: { name: 'a' } },
    ada,
  )
  await catalog.query("update update_hold set at = now() - interval '11 min'")
  await settlePending.run(catalog.ctx, signal)
  assert.deepEqual(await catalog.query(`select from update_hold where id = '${updateId}'`), [])
})

test('deleted stories are listed for the purge, with their workspace, too', async () => {
  const story = await createStory()
  const below = await createStory('Below')
  await createRevision(catalog, tree.figure.id, [1n])
  await catalog.client.deleteNode({ id: story.id, type: STORY }, ada)
  await catalog.client.deleteNode({ id: tree.workspace.id, type: WORKSPACE }, ada)
  await catalog.query("update tombstone set deleted_on = deleted_on - interval '1 min'")
  const listed: string[] = []
  for (let pageToken = ''; ; ) {
    const page = await catalog.client.listDeletedNodes({ types: [STORY], pageToken }, system)
    listed.push(...page.ids)
    pageToken = page.nextPageToken
    if (!page.hasMore) break
  }
  assert.deepEqual(new Set(listed), new Set([story.id, below.id]))
  const wrong = catalog.client.listDeletedNodes({ types: [STORY, ORGANIZATION] }, system)
  await assertError(wrong, { code: 'InvalidArgument', field: 'types' })
})

test('a story has no children', async () => {
  const story = await createStory()
  const below = { type: FIGURE, parentId: story.id, name: 'a' }
  await assertError(catalog.client.createNode(below, ada), {
    code: 'InvalidArgument',
    field: 'analysis',
  })
})
