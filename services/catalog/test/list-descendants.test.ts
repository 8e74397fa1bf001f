import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import type { Node } from '@figbase/proto/catalog'
import {
  ASSET,
  ada,
  type Bench,
  bob,
  denied,
  FIGURE,
  FIGURE_REVISION,
  leaf,
  make,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  ORGANIZATION,
  refused,
  startBench,
  unauthenticated,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench({ transport: 'http2' })
})
after(() => bench[Symbol.asyncDispose]())

async function below({ id, type }: Pick<Node, 'id' | 'type'>, as = ada) {
  const nodes: string[] = []
  const data: string[] = []
  for await (const page of bench.client.listDescendants({ id, type }, as)) {
    nodes.push(...page.nodes.map((node) => node.id))
    data.push(...page.dataIds)
  }
  return { nodes, data }
}

test('all that is live below a node is listed, each after what it is in', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const asset = await make(bench, ASSET, workspace.id)
  const second = await make(bench, FIGURE, analysis.id)
  const gone = await make(bench, FIGURE, analysis.id)
  await makeRevision(bench, gone.id, [1n])
  await bench.client.deleteNode({ id: gone.id }, ada)
  const leaves = [leaf(1n), leaf(2n)]
  const { id } = await bench.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  assert.deepEqual(await below(figure), { nodes: [], data: [] }, 'a reservation is not there yet')
  await bench.client.activate({ id, leaves }, ada)
  const data = leaves.map((one) => one.id).sort()
  const figures = [figure.id, second.id]
  assert.deepEqual(await below(workspace), {
    nodes: [analysis.id, asset.id, ...figures, id],
    data,
  })
  assert.deepEqual(await below(analysis), { nodes: [...figures, id], data })
  assert.deepEqual(await below({ id, type: FIGURE_REVISION }), { nodes: [], data })
})

test('below an organization are its workspaces with all that is in them', async () => {
  const organization = await make(bench, ORGANIZATION)
  const { workspace, analysis, figure } = await makeTree(bench)
  await makeTree(bench)
  await bench.client.updateNode({ id: workspace.id, parentId: organization.id }, ada)
  assert.deepEqual(await below(organization), {
    nodes: [workspace.id, analysis.id, figure.id],
    data: [],
  })
})

test('nothing is cut or repeated, however much there is', async () => {
  const { workspace, analysis } = await makeTree(bench)
  await bench.query(`
    with figure as (select gen_random_uuid() as id from generate_series(1, 1500)),
    revision as (select gen_random_uuid() as id, f.id as f from figure f, generate_series(1, 2)),
    made as (
      insert into node (id, type, parent_id, lineage, workspace_id, state, created_by)
      select id, 'figure', '${analysis.id}', array['${workspace.id}', '${analysis.id}', id]::uuid[],
             '${workspace.id}'::uuid, 'active', 'ada' from figure
      union all
      select id, 'figure_revision', f, array['${workspace.id}', '${analysis.id}', f, id]::uuid[],
             '${workspace.id}', 'active', 'ada' from revision
    )
    insert into leaf (id, node_id, size_bytes) select gen_random_uuid(), id, 1 from revision
    union all select gen_random_uuid(), r.id, 1 from (select id from revision limit 1) r,
                     generate_series(1, 2500)`)
  const { nodes, data } = await below(workspace)
  assert.deepEqual([nodes.length, data.length], [2 + 1500 + 3000, 3000 + 2500])
  assert.deepEqual([new Set(nodes).size, new Set(data).size], [nodes.length, data.length])
})

test('who may not view the node is refused before anything is sent', async () => {
  const { figure } = await makeTree(bench)
  await refused(below(figure, bob), denied)
  await refused(below({ ...figure, id: newId() }), notFound)
  await refused(below({ ...figure, type: FIGURE_REVISION }), notFound)
  for (const id of [figure.id, newId(), 'x']) {
    await refused(below({ ...figure, id }, nobody), unauthenticated)
  }
})
