import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import { NodeType, WorkspaceType } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  type Bench,
  bob,
  contents,
  denied,
  FIGURE,
  get,
  logOf,
  make,
  makeRevision,
  makeTree,
  nobody,
  refused,
  startBench,
  unauthenticated,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench({ env: { CHILDREN_MAX: '3', NAME_CHARS_MAX: '10' } })
})
after(() => bench[Symbol.asyncDispose]())

test('what was created is answered as it reads afterwards, with nothing below it', async () => {
  const { client } = bench
  const { node: workspace } = await client.createNode({ type: WORKSPACE, name: 'w' }, ada)
  assert.ok(workspace)
  assert.deepEqual(await get(bench, workspace), workspace)
  assert.equal(workspace.workspaceType, WorkspaceType.SECONDARY)
  assert.deepEqual([workspace.parentId, workspace.workspaceId], ['', workspace.id])

  const request = { type: ANALYSIS, parentId: workspace.id, name: 'a', description: '' }
  const { node } = await client.createNode(request, ada)
  assert.ok(node)
  assert.deepEqual(await get(bench, node), node)
  const { name, description, sizeBytes, createdBy, version } = node
  assert.deepEqual(
    { name, description, sizeBytes, createdBy, version },
    { name: 'a', description: '', sizeBytes: 0n, createdBy: 'ada', version: 1 },
  )
  assert.deepEqual(
    [node.parentId, node.workspaceId, node.workspaceType],
    [workspace.id, workspace.id, WorkspaceType.UNSPECIFIED],
  )
  for (const later of ['updatedBy', 'updatedOn', 'childUpdatedBy', 'childUpdatedOn'] as const) {
    assert.equal(node[later], undefined, later)
  }
  assert.equal(workspace.description, undefined, 'no description is not an empty one')
})

test('the maker of a workspace owns it', async () => {
  const { id } = await make(bench, WORKSPACE)
  assert.deepEqual(
    await bench.query(`select subject, kind, role from access_grant where node_id = '${id}'`),
    [{ subject: 'ada', kind: 'member', role: 'owner' }],
  )
})

test('each creation is in the log with its path, in the same moment, silent where asked', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const entry = {
    action: 'create',
    actor: 'ada',
    is_silent: false,
    request_id: 'request-1',
    workspace_id: workspace.id,
    analysis_id: analysis.id,
    figure_id: figure.id,
    target_id: figure.id,
    target_type: 'figure',
    target_name: 'a name',
    is_same_time: true,
  }
  assert.deepEqual(await logOf(bench, figure.id), [entry])
  assert.deepEqual(await logOf(bench, workspace.id), [
    {
      ...entry,
      analysis_id: null,
      figure_id: null,
      target_id: workspace.id,
      target_type: 'workspace',
    },
  ])
  const request = { type: FIGURE, parentId: analysis.id, name: 'quiet', silent: true }
  const { node } = await bench.client.createNode(request, ada)
  assert.deepEqual(
    (await logOf(bench, node?.id ?? '')).map((row) => row.is_silent),
    [true],
  )
})

test('bad input names its field and writes nothing', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id)
  const gone = await make(bench, ANALYSIS, workspace.id)
  await bench.client.deleteNode({ id: gone.id, type: ANALYSIS }, ada)
  const untouched = await contents(bench)
  const cases = [
    ['name', { type: WORKSPACE, name: '' }],
    ['name', { type: WORKSPACE, name: 'eleven char' }],
    ['name', { type: WORKSPACE, name: 'a\0b' }],
    ['name', { type: FIGURE, parentId: analysis.id, name: '' }],
    ['description', { type: WORKSPACE, name: 'w', description: 'a\0b' }],
    ['description', { type: WORKSPACE, name: 'w', description: 'x'.repeat(100_001) }],
    ['workspace', { type: ANALYSIS, name: 'a' }],
    ['workspace', { type: ANALYSIS, name: 'a', parentId: 'no uuid' }],
    ['workspace', { type: ANALYSIS, name: 'a', parentId: newId() }],
    ['workspace', { type: ANALYSIS, name: 'a', parentId: analysis.id }],
    ['analysis', { type: FIGURE, name: 'f', parentId: workspace.id }],
    ['analysis', { type: FIGURE, name: 'f', parentId: revision.id }],
    ['analysis', { type: FIGURE, name: 'f', parentId: gone.id }],
    ['type', { name: 'n' }],
    ['type', { type: NodeType.FIGURE_REVISION, parentId: figure.id, name: 'n' }],
    ['type', { type: NodeType.STORY, name: 'n' }],
  ] as const
  for (const [field, request] of cases) {
    await refused(bench.client.createNode(request, ada), { code: 'InvalidArgument', field })
  }
  assert.deepEqual(await contents(bench), untouched)
})

test('an anonymous caller is 401 for an existing and an unknown parent alike', async () => {
  const { workspace } = await makeTree(bench)
  for (const parentId of [workspace.id, newId(), 'no uuid', '']) {
    const request = { type: ANALYSIS, parentId, name: 'a' }
    await refused(bench.client.createNode(request, nobody), unauthenticated)
  }
})

test('a stranger is 403, also when the body is odd as well', async () => {
  const { workspace } = await makeTree(bench)
  const untouched = await contents(bench)
  for (const name of ['a', '']) {
    const request = { type: ANALYSIS, parentId: workspace.id, name }
    await refused(bench.client.createNode(request, bob), denied)
  }
  assert.deepEqual(await contents(bench), untouched)
})

test('a viewer is refused, a creator creates', async () => {
  const { workspace } = await makeTree(bench)
  const request = { type: ANALYSIS, parentId: workspace.id, name: 'a' }
  const grant = (role: string) =>
    bench.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
      values ('bob', '${workspace.id}', 'member', '${role}', 'ada')
      on conflict on constraint access_grant_pkey do update set role = excluded.role`)
  await grant('viewer')
  await refused(bench.client.createNode(request, bob), denied)
  await grant('creator')
  const { node } = await bench.client.createNode(request, bob)
  assert.equal(node?.createdBy, 'bob')
})

test('a parent holds as many children as the setting says, deleted ones not counted', async () => {
  const { workspace, analysis } = await makeTree(bench)
  const second = await make(bench, ANALYSIS, workspace.id)
  await make(bench, ANALYSIS, workspace.id)
  const request = { type: ANALYSIS, parentId: workspace.id, name: 'a' }
  const full = { code: 'InvalidArgument', field: 'workspace' } as const
  await refused(bench.client.createNode(request, ada), full)
  await bench.fold()
  await refused(bench.client.createNode(request, ada), full)
  await bench.client.deleteNode({ id: second.id, type: ANALYSIS }, ada)
  await bench.client.createNode(request, ada)
  await refused(bench.client.createNode(request, ada), full)
  await make(bench, FIGURE, analysis.id)
})
