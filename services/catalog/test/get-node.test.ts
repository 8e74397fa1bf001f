import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { type Node, NodeType, Permission } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ASSET,
  ASSET_REVISION,
  ada,
  assertError,
  bob,
  createAssetRevision,
  createNode,
  createRevision,
  createTree,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
  nobody,
  notFound,
  ORGANIZATION,
  STORY,
  startTestCatalog,
  system,
  type TestCatalog,
  unauthenticated,
  WORKSPACE,
} from './test-service.js'

test('only callers with VIEW can read a node', async () => {
  await using catalog = await startTestCatalog({ transport: 'http2' })
  const { workspace, figure } = await createTree(catalog)
  assert.deepEqual(await get(catalog, figure), figure)
  const { id, type } = figure
  await assertError(catalog.client.getNode({ id, type }, bob), denied)
  await assertError(catalog.client.getNode({ id: newId(), type }, bob), notFound)
  await catalog.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
    values ('bob', '${workspace.id}', 'member', 'viewer', 'ada')`)
  assert.deepEqual(await get(catalog, figure, bob), figure)
})

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

test('an anonymous caller and the system get 401, whether or not the node exists', async () => {
  const { figure } = await createTree(catalog)
  for (const id of [figure.id, newId(), 'no uuid']) {
    for (const as of [nobody, system]) {
      await assertError(catalog.client.getNode({ id, type: FIGURE }, as), unauthenticated)
    }
  }
})

test('an unknown, pending or deleted node, or one of another type, is 404', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const { id } = await catalog.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  const revision = await createRevision(catalog, figure.id)
  const lost = [
    { id: newId(), type: FIGURE },
    { id: 'no uuid', type: FIGURE },
    { id: '', type: FIGURE },
    { id: figure.id, type: ANALYSIS },
    { id, type: FIGURE_REVISION },
    { id },
  ]
  for (const request of lost) await assertError(catalog.client.getNode(request, ada), notFound)
  await catalog.client.deleteNode({ id: workspace.id, type: WORKSPACE }, ada)
  for (const one of [workspace, analysis, figure, revision]) {
    await assertError(catalog.client.getNode({ id: one.id, type: one.type }, ada), notFound)
    await assertError(catalog.client.getNode({ id: one.id, type: one.type }, bob), notFound)
  }
})

test('accepts ids in upper case', async () => {
  const { figure } = await createTree(catalog)
  const { node } = await catalog.client.getNode({ id: figure.id.toUpperCase(), type: FIGURE }, ada)
  assert.deepEqual(node, figure)
})

type GetOptions = {
  children?: NodeType[]
  newestRevisions?: number
  scopedAssets?: boolean
  childrenPageSize?: number
}

const getWith = ({ id, type }: Pick<Node, 'id' | 'type'>, options: GetOptions, as = ada) =>
  catalog.client.getNode({ id, type, ...options }, as)

/** The pages as ListChildren returns them. */
async function listed({ id: parentId }: Pick<Node, 'id'>, types: NodeType[], pageSize = 0) {
  const pages = []
  for (const type of types) {
    const request = { parentId, type, pageSize }
    const { nodes, nextPageToken } = await catalog.client.listChildren(request, ada)
    pages.push({ nodes, nextPageToken })
  }
  return pages
}

async function childrenOf(node: Pick<Node, 'id' | 'type'>, children: NodeType[]) {
  const answer = await getWith(node, { children })
  return answer.children.map(({ nodes, nextPageToken }) => ({ nodes, nextPageToken }))
}

async function createAsset(parentId: string, scopeId = '') {
  const request = { type: ASSET, parentId, scopeId, name: 'stations.csv' }
  const { node } = await catalog.client.createNode(request, ada)
  assert.ok(node)
  return node
}

const shareWithBob = ({ id }: Node) =>
  catalog.client.setUserShare({ id, username: 'bob', enabled: true }, ada)

const idsOf = (nodes: Pick<Node, 'id'>[] = []) => nodes.map((node) => node.id)

test('returns only the requested parts', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const { node, parent, children, newestRevisionIds, scopedAssets } = await getWith(analysis, {})
  const [page] = await listed(workspace, [ANALYSIS])
  assert.deepEqual([node], page?.nodes)
  assert.deepEqual(
    [parent, children, newestRevisionIds, scopedAssets],
    [undefined, [], [], undefined],
  )
})

test('includes live active children by position, then oldest first', async () => {
  const { figure } = await createTree(catalog)
  const second = await createRevision(catalog, figure.id, [2n], { position: 1 })
  const third = await createRevision(catalog, figure.id, [3n], { position: 1 })
  const first = await createRevision(catalog, figure.id, [1n], { position: 0 })
  await catalog.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  const deleted = await createRevision(catalog, figure.id, [9n], { position: 2 })
  await catalog.client.deleteNode({ id: deleted.id }, ada)
  const answer = await getWith(figure, { children: [FIGURE_REVISION] })
  assert.deepEqual(
    answer.children.map(({ nodes, nextPageToken }) => ({ nodes, nextPageToken })),
    [{ nodes: [first, second, third], nextPageToken: '' }],
  )
})

test('includes a page for each requested type, in the order of the request, as ListChildren does', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const workspace = await createNode(catalog, WORKSPACE, organization.id)
  await createNode(catalog, WORKSPACE, organization.id)
  const analyses = [
    await createNode(catalog, ANALYSIS, workspace.id),
    await createNode(catalog, ANALYSIS, workspace.id),
  ]
  const asset = await createAsset(workspace.id)
  const revision = await createAssetRevision(catalog, asset.id)
  const cases: [Node, NodeType[], string[][]][] = [
    [workspace, [ANALYSIS, ASSET], [idsOf(analyses), [asset.id]]],
    [workspace, [ASSET, ANALYSIS], [[asset.id], idsOf(analyses)]],
    [workspace, [ANALYSIS, ANALYSIS], [idsOf(analyses), idsOf(analyses)]],
    [workspace, [STORY, ASSET, ANALYSIS], [[], [asset.id], idsOf(analyses)]],
    [workspace, [FIGURE, WORKSPACE], [[], []]],
    [asset, [ASSET_REVISION], [[revision.id]]],
    [revision, [ASSET_REVISION], [[]]],
    [organization, [ANALYSIS], [[]]],
  ]
  for (const [node, types, ids] of cases) {
    const pages = await childrenOf(node, types)
    assert.deepEqual(
      pages.map(({ nodes }) => idsOf(nodes)),
      ids,
    )
    assert.deepEqual(pages, await listed(node, types))
  }
  for (const types of [[WORKSPACE], [WORKSPACE, ANALYSIS], [ANALYSIS, WORKSPACE]]) {
    const pages = await childrenOf(organization, types)
    assert.equal(pages[types.indexOf(WORKSPACE)]?.nodes.length, 2)
    assert.deepEqual(pages, await listed(organization, types))
  }
})

test('includes one page of each list, with a token for the rest', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const count = 1001
  // Newest first.
  await catalog.query(`insert into node (id, type, parent_id, lineage, workspace_id, scope_id, state, position,
      name, created_by)
    select gen_random_uuid(), kind, w.id, w.lineage, w.id,
           case kind when 'asset' then '${analysis.id}'::uuid end, 'active', ${count} - n, kind || ' ' || n, 'ada'
      from node w, generate_series(1, ${count}) n, unnest('{analysis,asset}'::text[]) kind
     where w.id = '${workspace.id}'`)
  const { client } = catalog
  for (const types of [
    [ANALYSIS, ASSET],
    [ASSET, ANALYSIS],
  ]) {
    const pages = await childrenOf(workspace, types)
    assert.deepEqual(pages, await listed(workspace, types))
    for (const [index, { nodes, nextPageToken: pageToken }] of pages.entries()) {
      assert.equal(nodes.length, 1000)
      const request = { parentId: workspace.id, type: types[index] ?? 0, pageToken }
      const rest = await client.listChildren(request, ada)
      assert.equal(rest.nodes.at(-1)?.name, `${types[index] === ASSET ? 'asset' : 'analysis'} 1`)
      assert.equal(rest.nextPageToken, '')
    }
  }
  const { scopedAssets } = await getWith(analysis, { scopedAssets: true })
  const analysisId = analysis.id
  const first = await client.listScopedAssets({ analysisId }, ada)
  assert.equal(scopedAssets?.nodes.length, 1000)
  assert.deepEqual(scopedAssets.nodes, first.nodes)
  assert.equal(scopedAssets.nextPageToken, first.nextPageToken)
  const { nextPageToken: pageToken } = scopedAssets
  const rest = await client.listScopedAssets({ analysisId, pageToken }, ada)
  assert.equal(idsOf(rest.nodes).length, 1)
})

test('includes pages of the requested size', async () => {
  const { workspace, analysis } = await createTree(catalog)
  for (let n = 0; n < 2; n++) await createNode(catalog, ANALYSIS, workspace.id)
  for (let n = 0; n < 3; n++) await createAsset(workspace.id, analysis.id)
  const types = [ANALYSIS, ASSET]
  const { children } = await getWith(workspace, { children: types, childrenPageSize: 2 })
  assert.deepEqual(
    children.map(({ nodes, nextPageToken }) => ({ nodes, nextPageToken })),
    await listed(workspace, types, 2),
  )
  const { scopedAssets } = await getWith(analysis, { scopedAssets: true, childrenPageSize: 2 })
  const request = { analysisId: analysis.id, pageSize: 2 }
  const first = await catalog.client.listScopedAssets(request, ada)
  assert.deepEqual(idsOf(scopedAssets?.nodes ?? []), idsOf(first.nodes))
  assert.equal(scopedAssets?.nextPageToken, first.nextPageToken)
})

test('includes the ancestors that the caller may view, from the outermost to the parent', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const workspace = await createNode(catalog, WORKSPACE, organization.id)
  const analysis = await createNode(catalog, ANALYSIS, workspace.id)
  const figure = await createNode(catalog, FIGURE, analysis.id)
  const revision = await createRevision(catalog, figure.id)
  const above = [organization, workspace, analysis, figure]
  for (const [index, node] of [...above, revision].entries()) {
    assert.deepEqual(await ancestorsOf(node), idsOf(above.slice(0, index)), String(index))
  }
  await catalog.client.setUserShare({ id: analysis.id, username: 'bob', enabled: true }, ada)
  assert.deepEqual(await ancestorsOf(revision, bob), idsOf([analysis, figure]))
  await catalog.client.setLinkShare({ id: figure.id, enabled: true }, ada)
  assert.deepEqual(await ancestorsOf(revision, nobody), idsOf([figure]))
})

test('includes what the caller may do', async () => {
  const { figure } = await createTree(catalog)
  const { VIEW, COMMENT, CREATE, UPDATE, DELETE, SHARE, MANAGE } = Permission
  const permissionsOf = async (as: typeof ada) =>
    (await catalog.client.getNode({ id: figure.id, withPermissions: true }, as)).permissions
  assert.deepEqual(await permissionsOf(ada), [VIEW, COMMENT, CREATE, UPDATE, DELETE, SHARE, MANAGE])
  await catalog.client.setLinkShare({ id: figure.id, enabled: true }, ada)
  assert.deepEqual(await permissionsOf(nobody), [VIEW])
})

async function ancestorsOf({ id }: Node, as = ada): Promise<string[]> {
  return idsOf((await catalog.client.getNode({ id, withAncestors: true }, as)).ancestors)
}

test('includes the requested number of newest revisions, as ListNewestRevisions does', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const asset = await createNode(catalog, ASSET, workspace.id)
  const other = await createNode(catalog, FIGURE, analysis.id)
  const ids: string[] = []
  for (const [position, parent] of [figure, other, figure].entries()) {
    ids.unshift((await createRevision(catalog, parent.id, [1n], { position })).id)
  }
  const [third = '', second = '', first = ''] = ids
  const revision = await createAssetRevision(catalog, asset.id)
  const newest = async (node: Pick<Node, 'id' | 'type'>, newestRevisions: number) =>
    (await getWith(node, { newestRevisions, children: [FIGURE] })).newestRevisionIds
  const cases: [Pick<Node, 'id' | 'type'>, string[]][] = [
    [workspace, ids],
    [analysis, ids],
    [figure, [third, first]],
    [other, [second]],
    [asset, [revision.id]],
    [revision, [revision.id]],
    [{ id: first, type: FIGURE_REVISION }, [first]],
  ]
  for (const [node, expected] of cases) {
    for (const limit of [1, 2, 1000]) {
      const answer = await newest(node, limit)
      assert.deepEqual(answer, expected.slice(0, limit))
      const request = { id: node.id, type: node.type, pageSize: limit }
      assert.deepEqual(answer, (await catalog.client.listNewestRevisions(request, ada)).ids)
    }
    assert.deepEqual(await newest(node, 0), [])
  }
  await catalog.client.deleteNode({ id: third }, ada)
  await catalog.client.deleteNode({ id: other.id }, ada)
  assert.deepEqual(await newest(analysis, 10), [first])
})

test('includes the assets of an analysis that the caller may view', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const [shown, hidden, deleted] = [
    await createAsset(workspace.id, analysis.id),
    await createAsset(workspace.id, analysis.id),
    await createAsset(workspace.id, analysis.id),
  ]
  await createAsset(workspace.id)
  await catalog.client.deleteNode({ id: deleted.id }, ada)
  const scoped = async (as = ada) => {
    const { scopedAssets } = await getWith(analysis, { scopedAssets: true }, as)
    return { ids: idsOf(scopedAssets?.nodes), token: scopedAssets?.nextPageToken }
  }
  assert.deepEqual(await scoped(), { ids: idsOf([shown, hidden]), token: '' })
  await shareWithBob(analysis)
  assert.deepEqual(await scoped(bob), { ids: [], token: '' })
  await shareWithBob(shown)
  assert.deepEqual(await scoped(bob), { ids: [shown.id], token: '' })
})

test('ignores the request for assets for other types', async () => {
  const { workspace, figure } = await createTree(catalog)
  await createAsset(workspace.id)
  for (const node of [workspace, figure, await createNode(catalog, ORGANIZATION)]) {
    const answer = await getWith(node, { scopedAssets: true })
    assert.equal(answer.node?.id, node.id)
    assert.equal(answer.scopedAssets, undefined)
  }
})

test('returns children and revisions only to callers who may view the node', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id)
  await createAsset(workspace.id, analysis.id)
  const all = { children: [FIGURE_REVISION, FIGURE], newestRevisions: 10, scopedAssets: true }
  // Sharing a revision grants no access to its ancestors.
  await shareWithBob(revision)
  for (const node of [figure, analysis]) {
    await assertError(getWith(node, all, bob), denied)
    for (const as of [nobody, system]) await assertError(getWith(node, all, as), unauthenticated)
    await assertError(getWith({ ...node, id: newId() }, all, ada), notFound)
  }
  await assertError(getWith({ ...figure, type: ANALYSIS }, all, ada), notFound)
  await shareWithBob(figure)
  const { children, newestRevisionIds } = await getWith(figure, all, bob)
  assert.deepEqual(
    children.map(({ nodes }) => idsOf(nodes)),
    [[revision.id], []],
  )
  assert.deepEqual(newestRevisionIds, [revision.id])
  await assertError(getWith(analysis, all, bob), denied)
  await catalog.client.deleteNode({ id: analysis.id }, ada)
  for (const node of [figure, analysis]) await assertError(getWith(node, all, ada), notFound)
})

test('rejects more than three types, invalid types and too many revisions by field', async () => {
  const { figure } = await createTree(catalog)
  const bad = (field: string) => ({ code: 'InvalidArgument', field }) as const
  const unknown = 99 as NodeType
  for (const children of [Array(4).fill(FIGURE), [NodeType.UNSPECIFIED], [FIGURE, unknown]]) {
    await assertError(getWith(figure, { children }), bad('children'))
  }
  for (const newestRevisions of [-1, 1001]) {
    await assertError(getWith(figure, { newestRevisions }), bad('newest_revisions'))
  }
})
