import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Node, Permission } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  assertError,
  contentOf,
  createNode,
  createRevision,
  createTree,
  FIGURE_REVISION,
  get,
  startTestCatalog,
  type TestCatalog,
  updateContent,
  WORKSPACE,
} from './test-service.js'

const limit = 1000n

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
  await catalog.query(`update plan set max_storage_bytes = ${limit} where is_default`)
})
after(() => catalog[Symbol.asyncDispose]())

const exceeded = { code: 'PermissionDenied', error: 'max_storage_bytes' } as const

/** The bytes left in the plan, as CheckAccess returns them for CREATE and UPDATE. */
async function left({ id }: Node) {
  const bytes = []
  for (const permission of [Permission.CREATE, Permission.UPDATE]) {
    bytes.push((await catalog.client.checkAccess({ id, permission }, ada)).storageBytesLeft)
  }
  assert.equal(bytes[0], bytes[1])
  return bytes[0]
}

test('reserves the growth of an update until it is activated or abandoned', async () => {
  const { figure } = await createTree(catalog)
  const { id } = await createRevision(catalog, figure.id, [600n])
  const update = { id, growthBytes: 400n }
  const { updateId } = await catalog.client.reserveUpdate(update, ada)
  assert.equal(await left(figure), 0n)
  await assertError(catalog.client.reserveUpdate({ id, growthBytes: 1n }, ada), exceeded)
  const creation = { type: FIGURE_REVISION, parentId: figure.id, sizeBytes: 1n }
  await assertError(catalog.client.reserve(creation, ada), exceeded)
  await catalog.client.abandonUpdate({ updateId }, ada)
  assert.equal(await left(figure), 400n)
  await assertError(catalog.client.reserveUpdate({ id, growthBytes: 401n }, ada), exceeded)
  await updateContent(catalog, id, { growthBytes: 400n, sizes: [1000n] })
  assert.equal(await left(figure), 0n)
})

test('an update that does not grow is never rejected, and frees the bytes that it shrinks by', async () => {
  const { figure } = await createTree(catalog)
  const { id } = await createRevision(catalog, figure.id, [1500n])
  assert.equal(await left(figure), 0n)
  await updateContent(catalog, id)
  const { updateId } = await catalog.client.reserveUpdate({ id, growthBytes: -600n }, ada)
  assert.equal(await left(figure), 0n, 'a shrinking update reserves nothing and frees nothing yet')
  await catalog.client.activateUpdate({ updateId, id, ...contentOf({ sizes: [900n] }) }, ada)
  assert.equal(await left(figure), 100n)
})

test('concurrent updates are accepted exactly up to the limit of the plan', async () => {
  const { workspace, figure } = await createTree(catalog)
  const revisions: Node[] = []
  for (let n = 0; n < 8; n++) revisions.push(await createRevision(catalog, figure.id, [1n]))
  const results = await Promise.allSettled(
    revisions.map(({ id }) => updateContent(catalog, id, { growthBytes: 200n, sizes: [201n] })),
  )
  const done = results.filter((one) => one.status === 'fulfilled')
  // 992 bytes were left.
  assert.equal(done.length, 4)
  for (const one of results) {
    if (one.status === 'rejected') await assertError(Promise.reject(one.reason), exceeded)
  }
  assert.equal((await get(catalog, workspace)).sizeBytes, 8n + 4n * 200n)
  assert.equal(await left(figure), 192n)
})

test('reservations move with a figure to another workspace and count there', async () => {
  const { figure } = await createTree(catalog)
  const there = await createNode(catalog, ANALYSIS, (await createNode(catalog, WORKSPACE)).id)
  const { id } = await createRevision(catalog, figure.id, [100n])
  const { updateId } = await catalog.client.reserveUpdate({ id, growthBytes: 700n }, ada)
  const home = figure.parentId
  const move = (parentId: string) => catalog.client.updateNode({ id: figure.id, parentId }, ada)
  await move(there.id)
  assert.equal(await left(there), 200n)
  await createRevision(catalog, (await createTree(catalog)).figure.id)
  await move(home)
  assert.equal(await left(there), 1000n)
  await createRevision(catalog, (await createNode(catalog, 4, there.id)).id, [201n])
  await assertError(move(there.id), exceeded)
  await catalog.client.abandonUpdate({ updateId }, ada)
  await move(there.id)
  assert.equal(await left(there), 699n)
})
