import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import type { Node } from '@figbase/proto/catalog'
import {
  ada,
  type Bench,
  bob,
  contents,
  denied,
  FIGURE_REVISION,
  get,
  leaf,
  logOf,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  refused,
  startBench,
  sumsOf,
  system,
  unauthenticated,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

const reserve = (figure: Node) =>
  bench.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)

test('activation shows the node as reserved, and its size and time on every ancestor', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const { id, createdOn } = await reserve(figure)
  const request = { id, leaves: [leaf(5n), leaf(7n), leaf(0n)], position: 3 }
  const { node } = await bench.client.activate(request, ada)
  assert.ok(node)
  assert.deepEqual([node.id, node.sizeBytes, node.createdBy], [id, 12n, 'ada'])
  assert.deepEqual(node.createdOn, createdOn)
  assert.deepEqual([node.updatedOn, node.childUpdatedOn], [undefined, undefined])
  assert.deepEqual(await get(bench, node), node)

  const above = { sizeBytes: 12n, childUpdatedOn: createdOn, childUpdatedBy: 'ada' }
  const ancestors = [workspace, analysis, figure]
  assert.deepEqual(await sumsOf(bench, ...ancestors), [above, above, above])
  await bench.fold()
  assert.deepEqual(await bench.query('select * from node_delta'), [])
  assert.deepEqual(await sumsOf(bench, ...ancestors), [above, above, above])
  for (const one of ancestors) assert.equal((await get(bench, one)).updatedOn, undefined)
  const [row] = await bench.query<{ n: number }>(
    `select count(*)::int as n from leaf where node_id = '${id}'`,
  )
  assert.equal(row?.n, 3)
})

test('activation again, also at the same time, changes nothing and answers the same', async () => {
  const { workspace, figure } = await makeTree(bench)
  const { id } = await reserve(figure)
  const request = { id, leaves: [leaf(5n)] }
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) => bench.client.activate(request, n % 2 ? ada : system)),
  )
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  const untouched = await contents(bench)
  const other = await bench.client.activate({ id, leaves: [leaf(500n)], position: 4 }, ada)
  assert.deepEqual(other, answers[0])
  assert.deepEqual(await contents(bench), untouched)
  assert.equal((await get(bench, workspace)).sizeBytes, 5n)
  assert.equal((await logOf(bench, id)).length, 1)
})

test('its entry has the path and the time of the reservation, in the name of its maker', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  for (const silent of [false, true]) {
    const { id } = await reserve(figure)
    await bench.client.activate({ id, silent }, system)
    assert.deepEqual(await logOf(bench, id), [
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

test('a time that is older than what happened since moves no ancestor back', async () => {
  const { workspace, figure } = await makeTree(bench)
  const early = await reserve(figure)
  const late = await makeRevision(bench, figure.id)
  await bench.query(`update node set created_by = 'bob' where id = '${early.id}'`)
  const latest = { childUpdatedOn: late.createdOn, childUpdatedBy: 'ada' }
  for (const folded of [false, true]) {
    if (folded) await bench.fold()
    else await bench.client.activate({ id: early.id, leaves: [leaf(1n)] }, bob)
    for (const sums of await sumsOf(bench, workspace, figure)) {
      assert.deepEqual(sums, { sizeBytes: 1n, ...latest })
    }
  }
})

test('only for whom it was reserved, or the system', async () => {
  const { figure } = await makeTree(bench)
  const { id } = await reserve(figure)
  const untouched = await contents(bench)
  for (const other of [id, newId(), 'x']) {
    await refused(bench.client.activate({ id: other }, nobody), unauthenticated)
  }
  for (const other of [newId(), 'x', '']) {
    await refused(bench.client.activate({ id: other }, ada), notFound)
  }
  await refused(bench.client.activate({ id }, bob), denied)
  assert.deepEqual(await contents(bench), untouched)
})

test('leaves and position that would spoil the sums are refused', async () => {
  const { figure } = await makeTree(bench)
  const { id } = await reserve(figure)
  const taken = leaf(1n)
  await makeRevision(bench, figure.id)
  const { id: other } = await reserve(figure)
  await bench.client.activate({ id: other, leaves: [taken] }, ada)
  const untouched = await contents(bench)
  const bad = (field: string) => ({ code: 'InvalidArgument', field }) as const
  const activate = (request: object) => bench.client.activate({ id, ...request }, ada)
  await refused(activate({ leaves: [leaf(-1n)] }), bad('leaves'))
  await refused(activate({ leaves: [{ id: 'x', sizeBytes: 1n }] }), bad('leaves'))
  await refused(
    activate({
      leaves: [
        { id, sizeBytes: 1n },
        { id, sizeBytes: 1n },
      ],
    }),
    bad('leaves'),
  )
  await refused(activate({ position: -1 }), bad('position'))
  await refused(activate({ leaves: [taken] }), { code: 'AlreadyExists', error: 'duplicate_leaf' })
  assert.deepEqual(await contents(bench), untouched)
})

for (const which of ['workspace', 'analysis', 'figure'] as const) {
  test(`refused when its ${which} was deleted meanwhile, and nothing is written`, async () => {
    const tree = await makeTree(bench)
    const { id } = await reserve(tree.figure)
    const shown = await makeRevision(bench, tree.figure.id)
    await bench.client.deleteNode({ id: tree[which].id }, ada)
    const untouched = await contents(bench)
    for (const as of [ada, system]) {
      await refused(bench.client.activate({ id, leaves: [leaf(1n)] }, as), notFound)
      // An owner that gets not_found throws the content away, and nothing could be restored.
      const { node } = await bench.client.activate({ id: shown.id }, as)
      assert.equal(node?.id, shown.id)
    }
    assert.deepEqual(await contents(bench), untouched)
  })
}
