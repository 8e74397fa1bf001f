import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { NodeType, WorkspaceType } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  assertError,
  bob,
  contents,
  createNode,
  createRevision,
  createTree,
  denied,
  FIGURE,
  get,
  logOf,
  nobody,
  startTestCatalog,
  type TestCatalog,
  unauthenticated,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog({ env: { CHILDREN_MAX: '3', NAME_CHARS_MAX: '10' } })
})
after(() => catalog[Symbol.asyncDispose]())

test('returns the created node as GetNode does, without children', async () => {
  const { client } = catalog
  const { node: workspace } = await client.createNode({ type: WORKSPACE, name: 'w' }, ada)
  assert.ok(workspace)
  assert.deepEqual(await get(catalog, workspace), workspace)
  assert.equal(workspace.workspaceType, WorkspaceType.SECONDARY)
  assert.deepEqual([workspace.parentId, workspace.workspaceId], ['', workspace.id])

  const request = { type: ANALYSIS, parentId: workspace.id, name: 'a', description: '' }
  const { node } = await client.createNode(request, ada)
  assert.ok(node)
  assert.deepEqual(await get(catalog, node), node)
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
  assert.equal(workspace.description, undefined, 'a missing description is not an empty one')
})

test('the creator of a workspace is its owner', async () => {
  const { id } = await createNode(catalog, WORKSPACE)
  assert.deepEqual(
    await catalog.query(`select subject, kind, role from access_grant where node_id = '${id}'`),
    [{ subject: 'ada', kind: 'member', role: 'owner' }],
  )
})

test('each creation has an activity entry with its path and time, silent if requested', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
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
  assert.deepEqual(await logOf(catalog, figure.id), [entry])
  assert.deepEqual(await logOf(catalog, workspace.id), [
    {
      ...entry,
      analysis_id: null,
      figure_id: null,
      target_id: workspace.id,
      target_type: 'workspace',
    },
  ])
  const request = { type: FIGURE, parentId: analysis.id, name: 'quiet', silent: true }
  const { node } = await catalog.client.createNode(request, ada)
  assert.deepEqual(
    (await logOf(catalog, node?.id ?? '')).map((row) => row.is_silent),
    [true],
  )
})

test('rejects invalid input by field, and writes nothing', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id)
  const deleted = await createNode(catalog, ANALYSIS, workspace.id)
  await catalog.client.deleteNode({ id: deleted.id, type: ANALYSIS }, ada)
  const untouched = await contents(catalog)
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
    ['analysis', { type: FIGURE, name: 'f', parentId: deleted.id }],
    ['type', { name: 'n' }],
    ['type', { type: NodeType.FIGURE_REVISION, parentId: figure.id, name: 'n' }],
    ['type', { type: NodeType.STORY, name: 'n' }],
  ] as const
  for (const [field, request] of cases) {
    await assertError(catalog.client.createNode(request, ada), { code: 'InvalidArgument', field })
  }
  assert.deepEqual(await contents(catalog), untouched)
})

test('an anonymous caller gets 401 for an existing and an unknown parent', async () => {
  const { workspace } = await createTree(catalog)
  for (const parentId of [workspace.id, newId(), 'no uuid', '']) {
    const request = { type: ANALYSIS, parentId, name: 'a' }
    await assertError(catalog.client.createNode(request, nobody), unauthenticated)
  }
})

test('a user without access gets 403, even for an invalid body', async () => {
  const { workspace } = await createTree(catalog)
  const untouched = await contents(catalog)
  for (const name of ['a', '']) {
    const request = { type: ANALYSIS, parentId: workspace.id, name }
    await assertError(catalog.client.createNode(request, bob), denied)
  }
  assert.deepEqual(await contents(catalog), untouched)
})

test('a viewer cannot create, a creator can', async () => {
  const { workspace } = await createTree(catalog)
  const request = { type: ANALYSIS, parentId: workspace.id, name: 'a' }
  const grant = (role: string) =>
    catalog.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
      values ('bob', '${workspace.id}', 'member', '${role}', 'ada')
      on conflict on constraint access_grant_pkey do update set role = excluded.role`)
  await grant('viewer')
  await assertError(catalog.client.createNode(request, bob), denied)
  await grant('creator')
  const { node } = await catalog.client.createNode(request, bob)
  assert.equal(node?.createdBy, 'bob')
})

test('enforces CHILDREN_MAX, without counting deleted children', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const second = await createNode(catalog, ANALYSIS, workspace.id)
  await createNode(catalog, ANALYSIS, workspace.id)
  const request = { type: ANALYSIS, parentId: workspace.id, name: 'a' }
  const full = { code: 'InvalidArgument', field: 'workspace' } as const
  await assertError(catalog.client.createNode(request, ada), full)
  await catalog.fold()
  await assertError(catalog.client.createNode(request, ada), full)
  await catalog.client.deleteNode({ id: second.id, type: ANALYSIS }, ada)
  await catalog.client.createNode(request, ada)
  await assertError(catalog.client.createNode(request, ada), full)
  await createNode(catalog, FIGURE, analysis.id)
})
