import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Node, Permission } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  type Bench,
  contentOf,
  FIGURE_REVISION,
  get,
  make,
  makeRevision,
  makeTree,
  refused,
  startBench,
  updateContent,
  WORKSPACE,
} from './bench.js'

const limit = 1000n

let bench: Bench
before(async () => {
  bench = await startBench()
  await bench.query(`update plan set max_storage_bytes = ${limit} where is_default`)
})
after(() => bench[Symbol.asyncDispose]())

const exceeded = { code: 'PermissionDenied', error: 'max_storage_bytes' } as const

/** What the plan has left, as it is told to who would create, or change. */
async function left({ id }: Node) {
  const bytes = []
  for (const permission of [Permission.CREATE, Permission.UPDATE]) {
    bytes.push((await bench.client.checkAccess({ id, permission }, ada)).storageBytesLeft)
  }
  assert.equal(bytes[0], bytes[1])
  return bytes[0]
}

test('what an update grows by is held from its first step to its last', async () => {
  const { figure } = await makeTree(bench)
  const { id } = await makeRevision(bench, figure.id, [600n])
  const update = { id, growthBytes: 400n }
  const { updateId } = await bench.client.reserveUpdate(update, ada)
  assert.equal(await left(figure), 0n)
  await refused(bench.client.reserveUpdate({ id, growthBytes: 1n }, ada), exceeded)
  const creation = { type: FIGURE_REVISION, parentId: figure.id, sizeBytes: 1n }
  await refused(bench.client.reserve(creation, ada), exceeded)
  await bench.client.abandonUpdate({ updateId }, ada)
  assert.equal(await left(figure), 400n)
  await refused(bench.client.reserveUpdate({ id, growthBytes: 401n }, ada), exceeded)
  await updateContent(bench, id, { growthBytes: 400n, sizes: [1000n] })
  assert.equal(await left(figure), 0n)
})

test('an update that does not grow is never refused, and frees what it shrinks by', async () => {
  const { figure } = await makeTree(bench)
  const { id } = await makeRevision(bench, figure.id, [1500n])
  assert.equal(await left(figure), 0n)
  await updateContent(bench, id)
  const { updateId } = await bench.client.reserveUpdate({ id, growthBytes: -600n }, ada)
  assert.equal(await left(figure), 0n, 'it holds nothing, and frees nothing yet')
  await bench.client.activateUpdate({ updateId, id, ...contentOf({ sizes: [900n] }) }, ada)
  assert.equal(await left(figure), 100n)
})

test('eight updates at the same time pass as far as the plan goes, to the byte', async () => {
  const { workspace, figure } = await makeTree(bench)
  const revisions: Node[] = []
  for (let n = 0; n < 8; n++) revisions.push(await makeRevision(bench, figure.id, [1n]))
  const results = await Promise.allSettled(
    revisions.map(({ id }) => updateContent(bench, id, { growthBytes: 200n, sizes: [201n] })),
  )
  const done = results.filter((one) => one.status === 'fulfilled')
  // 992 were left.
  assert.equal(done.length, 4)
  for (const one of results) {
    if (one.status === 'rejected') await refused(Promise.reject(one.reason), exceeded)
  }
  assert.equal((await get(bench, workspace)).sizeBytes, 8n + 4n * 200n)
  assert.equal(await left(figure), 192n)
})

test('what is held goes with a figure into another workspace, and counts there', async () => {
  const { figure } = await makeTree(bench)
  const there = await make(bench, ANALYSIS, (await make(bench, WORKSPACE)).id)
  const { id } = await makeRevision(bench, figure.id, [100n])
  const { updateId } = await bench.client.reserveUpdate({ id, growthBytes: 700n }, ada)
  const home = figure.parentId
  const move = (parentId: string) => bench.client.updateNode({ id: figure.id, parentId }, ada)
  await move(there.id)
  assert.equal(await left(there), 200n)
  await makeRevision(bench, (await makeTree(bench)).figure.id)
  await move(home)
  assert.equal(await left(there), 1000n)
  await makeRevision(bench, (await make(bench, 4, there.id)).id, [201n])
  await refused(move(there.id), exceeded)
  await bench.client.abandonUpdate({ updateId }, ada)
  await move(there.id)
  assert.equal(await left(there), 699n)
})
