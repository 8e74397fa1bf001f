import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import type { Node } from '@figbase/proto/catalog'
import {
  ASSET,
  ada,
  assertError,
  bob,
  createNode,
  createRevision,
  createTree,
  denied,
  FIGURE,
  FIGURE_REVISION,
  leaf,
  nobody,
  notFound,
  ORGANIZATION,
  startTestCatalog,
  type TestCatalog,
  unauthenticated,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog({ transport: 'http2' })
})
after(() => catalog[Symbol.asyncDispose]())

async function below({ id, type }: Pick<Node, 'id' | 'type'>, as = ada) {
  const nodes: string[] = []
  const data: string[] = []
  for await (const page of catalog.client.listDescendants({ id, type }, as)) {
    nodes.push(...page.nodes.map((node) => node.id))
    data.push(...page.dataIds)
  }
  return { nodes, data }
}

test('lists all live descendants of a node, parents first', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const asset = await createNode(catalog, ASSET, workspace.id)
  const second = await createNode(catalog, FIGURE, analysis.id)
  const deleted = await createNode(catalog, FIGURE, analysis.id)
  await createRevision(catalog, deleted.id, [1n])
  await catalog.client.deleteNode({ id: deleted.id }, ada)
  const leaves = [leaf(1n), leaf(2n)]
  const { id } = await catalog.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  assert.deepEqual(await below(figure), { nodes: [], data: [] }, 'a reservation is not listed')
  await catalog.client.activate({ id, leaves }, ada)
  const data = leaves.map((one) => one.id).sort()
  const figures = [figure.id, second.id]
  assert.deepEqual(await below(workspace), {
    nodes: [analysis.id, asset.id, ...figures, id],
    data,
  })
  assert.deepEqual(await below(analysis), { nodes: [...figures, id], data })
  assert.deepEqual(await below({ id, type: FIGURE_REVISION }), { nodes: [], data })
})

test('lists the workspaces of an organization with their descendants', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const { workspace, analysis, figure } = await createTree(catalog)
  await createTree(catalog)
  await catalog.client.updateNode({ id: workspace.id, parentId: organization.id }, ada)
  assert.deepEqual(await below(organization), {
    nodes: [workspace.id, analysis.id, figure.id],
    data: [],
  })
})

test('lists large trees completely and without repetition', async () => {
  const { workspace, analysis } = await createTree(catalog)
  await catalog.query(`
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

test('rejects callers without VIEW before streaming', async () => {
  const { figure } = await createTree(catalog)
  await assertError(below(figure, bob), denied)
  await assertError(below({ ...figure, id: newId() }), notFound)
  await assertError(below({ ...figure, type: FIGURE_REVISION }), notFound)
  for (const id of [figure.id, newId(), 'x']) {
    await assertError(below({ ...figure, id }, nobody), unauthenticated)
  }
})
