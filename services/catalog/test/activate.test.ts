import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import type { Node } from '@figbase/proto/catalog'
import {
  ada,
  assertError,
  bob,
  contents,
  createRevision,
  createTree,
  denied,
  FIGURE_REVISION,
  get,
  leaf,
  logOf,
  nobody,
  notFound,
  startTestCatalog,
  sumsOf,
  system,
  type TestCatalog,
  unauthenticated,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

const reserve = (figure: Node) =>
  catalog.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)

test('activates a node with the reserved values, and updates size and time of every ancestor', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const { id, createdOn } = await reserve(figure)
  const request = { id, leaves: [leaf(5n), leaf(7n), leaf(0n)], position: 3 }
  const { node } = await catalog.client.activate(request, ada)
  assert.ok(node)
  assert.deepEqual([node.id, node.sizeBytes, node.createdBy], [id, 12n, 'ada'])
  assert.deepEqual(node.createdOn, createdOn)
  assert.deepEqual([node.updatedOn, node.childUpdatedOn], [undefined, undefined])
  assert.deepEqual(await get(catalog, node), node)

  const above = { sizeBytes: 12n, childUpdatedOn: createdOn, childUpdatedBy: 'ada' }
  const ancestors = [workspace, analysis, figure]
  assert.deepEqual(await sumsOf(catalog, ...ancestors), [above, above, above])
  await catalog.fold()
  assert.deepEqual(await catalog.query('select * from node_delta'), [])
  assert.deepEqual(await sumsOf(catalog, ...ancestors), [above, above, above])
  for (const one of ancestors) assert.equal((await get(catalog, one)).updatedOn, undefined)
  const [row] = await catalog.query<{ n: number }>(
    `select count(*)::int as n from leaf where node_id = '${id}'`,
  )
  assert.equal(row?.n, 3)
})

test('repeated and concurrent activations are idempotent', async () => {
  const { workspace, figure } = await createTree(catalog)
  const { id } = await reserve(figure)
  const request = { id, leaves: [leaf(5n)] }
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) => catalog.client.activate(request, n % 2 ? ada : system)),
  )
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  const untouched = await contents(catalog)
  const other = await catalog.client.activate({ id, leaves: [leaf(500n)], position: 4 }, ada)
  assert.deepEqual(other, answers[0])
  assert.deepEqual(await contents(catalog), untouched)
  assert.equal((await get(catalog, workspace)).sizeBytes, 5n)
  assert.equal((await logOf(catalog, id)).length, 1)
})

test('the activity entry has the path, the time and the user of the reservation', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  for (const silent of [false, true]) {
    const { id } = await reserve(figure)
    await catalog.client.activate({ id, silent }, system)
    assert.deepEqual(await logOf(catalog, id), [
      {
        action: 'create',
        actor: 'ada',
        is_silent: silent,
        request_id: '',
        workspace_id: workspace.id,
        analysis_id: analysis.id,
        figure_id: figure.id,
        target_id: id,
        target_type: 'figure_revision',
        target_name: null,
        is_same_time: true,
      },
    ])
  }
})

test('an older reservation time does not move the times of ancestors back', async () => {
  const { workspace, figure } = await createTree(catalog)
  const early = await reserve(figure)
  const late = await createRevision(catalog, figure.id)
  await catalog.query(`update node set created_by = 'bob' where id = '${early.id}'`)
  const latest = { childUpdatedOn: late.createdOn, childUpdatedBy: 'ada' }
  for (const folded of [false, true]) {
    if (folded) await catalog.fold()
    else await catalog.client.activate({ id: early.id, leaves: [leaf(1n)] }, bob)
    for (const sums of await sumsOf(catalog, workspace, figure)) {
      assert.deepEqual(sums, { sizeBytes: 1n, ...latest })
    }
  }
})

test('only the user of the reservation or the system can activate', async () => {
  const { figure } = await createTree(catalog)
  const { id } = await reserve(figure)
  const untouched = await contents(catalog)
  for (const other of [id, newId(), 'x']) {
    await assertError(catalog.client.activate({ id: other }, nobody), unauthenticated)
  }
  for (const other of [newId(), 'x', '']) {
    await assertError(catalog.client.activate({ id: other }, ada), notFound)
  }
  await assertError(catalog.client.activate({ id }, bob), denied)
  assert.deepEqual(await contents(catalog), untouched)
})

test('rejects invalid leaves and positions', async () => {
  const { figure } = await createTree(catalog)
  const { id } = await reserve(figure)
  const usedLeaf = leaf(1n)
  await createRevision(catalog, figure.id)
  const { id: other } = await reserve(figure)
  await catalog.client.activate({ id: other, leaves: [usedLeaf] }, ada)
  const untouched = await contents(catalog)
  const bad = (field: string) => ({ code: 'InvalidArgument', field }) as const
  const activate = (request: object) => catalog.client.activate({ id, ...request }, ada)
  await assertError(activate({ leaves: [leaf(-1n)] }), bad('leaves'))
  await assertError(activate({ leaves: [{ id: 'x', sizeBytes: 1n }] }), bad('leaves'))
  await assertError(
    activate({
      leaves: [
        { id, sizeBytes: 1n },
        { id, sizeBytes: 1n },
      ],
    }),
    bad('leaves'),
  )
  await assertError(activate({ position: -1 }), bad('position'))
  await assertError(activate({ leaves: [usedLeaf] }), {
    code: 'AlreadyExists',
    error: 'duplicate_leaf',
  })
  assert.deepEqual(await contents(catalog), untouched)
})

for (const which of ['workspace', 'analysis', 'figure'] as const) {
  test(`activation fails when the ${which} was deleted meanwhile, and writes nothing`, async () => {
    const tree = await createTree(catalog)
    const { id } = await reserve(tree.figure)
    const shown = await createRevision(catalog, tree.figure.id)
    await catalog.client.deleteNode({ id: tree[which].id }, ada)
    const untouched = await contents(catalog)
    for (const as of [ada, system]) {
      await assertError(catalog.client.activate({ id, leaves: [leaf(1n)] }, as), notFound)
      // On not_found, the owning service would delete the content, and the node could not be restored.
      const { node } = await catalog.client.activate({ id: shown.id }, as)
      assert.equal(node?.id, shown.id)
    }
    assert.deepEqual(await contents(catalog), untouched)
  })
}
