import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import { type Node, NodeType } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ASSET,
  ASSET_REVISION,
  ada,
  type Bench,
  bob,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
  make,
  makeAssetRevision,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  ORGANIZATION,
  refused,
  startBench,
  system,
  unauthenticated,
  WORKSPACE,
} from './bench.js'

for (const transport of ['local', 'http2'] as const) {
  test(`${transport}: a node is read by whoever can view it, and by nobody else`, async () => {
    await using bench = await startBench({ transport })
    const { workspace, figure } = await makeTree(bench)
    assert.deepEqual(await get(bench, figure), figure)
    const { id, type } = figure
    await refused(bench.client.getNode({ id, type }, bob), denied)
    await refused(bench.client.getNode({ id: newId(), type }, bob), notFound)
    await bench.query(`insert into access_grant (subject, node_id, kind, role, granted_by)
      values ('bob', '${workspace.id}', 'member', 'viewer', 'ada')`)
    assert.deepEqual(await get(bench, figure, bob), figure)
  })
}

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

test('anonymous is 401, whether the node exists or not; so is the system', async () => {
  const { figure } = await makeTree(bench)
  for (const id of [figure.id, newId(), 'no uuid']) {
    for (const as of [nobody, system]) {
      await refused(bench.client.getNode({ id, type: FIGURE }, as), unauthenticated)
    }
  }
})

test('unknown, of another type, reserved or deleted is 404', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const { id } = await bench.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  const revision = await makeRevision(bench, figure.id)
  const lost = [
    { id: newId(), type: FIGURE },
    { id: 'no uuid', type: FIGURE },
    { id: '', type: FIGURE },
    { id: figure.id, type: ANALYSIS },
    { id, type: FIGURE_REVISION },
    { id },
  ]
  for (const request of lost) await refused(bench.client.getNode(request, ada), notFound)
  await bench.client.deleteNode({ id: workspace.id, type: WORKSPACE }, ada)
  for (const one of [workspace, analysis, figure, revision]) {
    await refused(bench.client.getNode({ id: one.id, type: one.type }, ada), notFound)
    await refused(bench.client.getNode({ id: one.id, type: one.type }, bob), notFound)
  }
})

test('an id in capitals names the same node', async () => {
  const { figure } = await makeTree(bench)
  const { node } = await bench.client.getNode({ id: figure.id.toUpperCase(), type: FIGURE }, ada)
  assert.deepEqual(node, figure)
})

type Opening = { children?: NodeType[]; newestRevisions?: number; scopedAssets?: boolean }

const open = ({ id, type }: Pick<Node, 'id' | 'type'>, opening: Opening, as = ada) =>
  bench.client.getNode({ id, type, ...opening }, as)

/** The pages as ListChildren has them. */
async function listed({ id: parentId }: Pick<Node, 'id'>, types: NodeType[]) {
  const pages = []
  for (const type of types) {
    const { nodes, nextPageToken } = await bench.client.listChildren({ parentId, type }, ada)
    pages.push({ nodes, nextPageToken })
  }
  return pages
}

async function childrenOf(node: Pick<Node, 'id' | 'type'>, children: NodeType[]) {
  const answer = await open(node, { children })
  return answer.children.map(({ nodes, nextPageToken }) => ({ nodes, nextPageToken }))
}

async function makeAsset(parentId: string, scopeId = '') {
  const request = { type: ASSET, parentId, scopeId, name: 'stations.csv' }
  const { node } = await bench.client.createNode(request, ada)
  assert.ok(node)
  return node
}

const shareWithBob = ({ id }: Node) =>
  bench.client.setUserShare({ id, username: 'bob', enabled: true }, ada)

const idsOf = (nodes: Node[] = []) => nodes.map((node) => node.id)

test('a node has with it only what was asked for', async () => {
  const { workspace, analysis } = await makeTree(bench)
  const { node, parent, children, newestRevisionIds, scopedAssets } = await open(analysis, {})
  const [page] = await listed(workspace, [ANALYSIS])
  assert.deepEqual([node], page?.nodes)
  assert.deepEqual(
    [parent, children, newestRevisionIds, scopedAssets],
    [undefined, [], [], undefined],
  )
})

test('children come with the node by position, then oldest first, without the reserved and the deleted', async () => {
  const { figure } = await makeTree(bench)
  const second = await makeRevision(bench, figure.id, [2n], { position: 1 })
  const third = await makeRevision(bench, figure.id, [3n], { position: 1 })
  const first = await makeRevision(bench, figure.id, [1n], { position: 0 })
  await bench.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  const gone = await makeRevision(bench, figure.id, [9n], { position: 2 })
  await bench.client.deleteNode({ id: gone.id }, ada)
  const answer = await open(figure, { children: [FIGURE_REVISION] })
  assert.deepEqual(
    answer.children.map(({ nodes, nextPageToken }) => ({ nodes, nextPageToken })),
    [{ nodes: [first, second, third], nextPageToken: '' }],
  )
})

test('each type that is named has its page, in the order of the request, as ListChildren has it', async () => {
  const organization = await make(bench, ORGANIZATION)
  const workspace = await make(bench, WORKSPACE, organization.id)
  await make(bench, WORKSPACE, organization.id)
  const analyses = [
    await make(bench, ANALYSIS, workspace.id),
    await make(bench, ANALYSIS, workspace.id),
  ]
  const asset = await makeAsset(workspace.id)
  const revision = await makeAssetRevision(bench, asset.id)
  const cases: [Node, NodeType[], string[][]][] = [
    [workspace, [ANALYSIS, ASSET], [idsOf(analyses), [asset.id]]],
    [workspace, [ASSET, ANALYSIS], [[asset.id], idsOf(analyses)]],
    [workspace, [ANALYSIS, ANALYSIS], [idsOf(analyses), idsOf(analyses)]],
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

test('of each list a page comes with the node, and the rest by its token', async () => {
  const { workspace, analysis } = await makeTree(bench)
  const count = 1001
  // Those that were made last come first.
  await bench.query(`insert into node (id, type, parent_id, lineage, workspace_id, scope_id, state, position,
      name, created_by)
    select gen_random_uuid(), kind, w.id, w.lineage, w.id,
           case kind when 'asset' then '${analysis.id}'::uuid end, 'active', ${count} - n, kind || ' ' || n, 'ada'
      from node w, generate_series(1, ${count}) n, unnest('{analysis,asset}'::text[]) kind
     where w.id = '${workspace.id}'`)
  const { client } = bench
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
  const { scopedAssets } = await open(analysis, { scopedAssets: true })
  const analysisId = analysis.id
  const first = await client.listScopedAssets({ analysisId }, ada)
  assert.equal(scopedAssets?.nodes.length, 1000)
  assert.deepEqual(scopedAssets.nodes, first.nodes)
  assert.equal(scopedAssets.nextPageToken, first.nextPageToken)
  const { nextPageToken: pageToken } = scopedAssets
  const rest = await client.listScopedAssets({ analysisId, pageToken }, ada)
  assert.equal(idsOf(rest.nodes).length, 1)
})

test('the newest revisions are so many as asked for, as ListNewestRevisions has them', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const asset = await make(bench, ASSET, workspace.id)
  const other = await make(bench, FIGURE, analysis.id)
  const ids: string[] = []
  for (const [position, parent] of [figure, other, figure].entries()) {
    ids.unshift((await makeRevision(bench, parent.id, [1n], { position })).id)
  }
  const [third = '', second = '', first = ''] = ids
  const revision = await makeAssetRevision(bench, asset.id)
  const newest = async (node: Pick<Node, 'id' | 'type'>, newestRevisions: number) =>
    (await open(node, { newestRevisions, children: [FIGURE] })).newestRevisionIds
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
      assert.deepEqual(answer, (await bench.client.listNewestRevisions(request, ada)).ids)
    }
    assert.deepEqual(await newest(node, 0), [])
  }
  await bench.client.deleteNode({ id: third }, ada)
  await bench.client.deleteNode({ id: other.id }, ada)
  assert.deepEqual(await newest(analysis, 10), [first])
})

test('the assets of an analysis come with it, those alone that the caller may view', async () => {
  const { workspace, analysis } = await makeTree(bench)
  const [shown, hidden, deleted] = [
    await makeAsset(workspace.id, analysis.id),
    await makeAsset(workspace.id, analysis.id),
    await makeAsset(workspace.id, analysis.id),
  ]
  await makeAsset(workspace.id)
  await bench.client.deleteNode({ id: deleted.id }, ada)
  const scoped = async (as = ada) => {
    const { scopedAssets } = await open(analysis, { scopedAssets: true }, as)
    return { ids: idsOf(scopedAssets?.nodes), token: scopedAssets?.nextPageToken }
  }
  assert.deepEqual(await scoped(), { ids: idsOf([shown, hidden]), token: '' })
  await shareWithBob(analysis)
  assert.deepEqual(await scoped(bob), { ids: [], token: '' })
  await shareWithBob(shown)
  assert.deepEqual(await scoped(bob), { ids: [shown.id], token: '' })
})

test('what is no analysis has no assets of its own, and is answered', async () => {
  const { workspace, figure } = await makeTree(bench)
  await makeAsset(workspace.id)
  for (const node of [workspace, figure, await make(bench, ORGANIZATION)]) {
    const answer = await open(node, { scopedAssets: true })
    assert.equal(answer.node?.id, node.id)
    assert.equal(answer.scopedAssets, undefined)
  }
})

test('who may not view the node gets nothing of what is in it; who may, gets it', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id)
  await makeAsset(workspace.id, analysis.id)
  const all = { children: [FIGURE_REVISION, FIGURE], newestRevisions: 10, scopedAssets: true }
  // A revision that is shared alone opens nothing above it.
  await shareWithBob(revision)
  for (const node of [figure, analysis]) {
    await refused(open(node, all, bob), denied)
    for (const as of [nobody, system]) await refused(open(node, all, as), unauthenticated)
    await refused(open({ ...node, id: newId() }, all, ada), notFound)
  }
  await refused(open({ ...figure, type: ANALYSIS }, all, ada), notFound)
  await shareWithBob(figure)
  const { children, newestRevisionIds } = await open(figure, all, bob)
  assert.deepEqual(
    children.map(({ nodes }) => idsOf(nodes)),
    [[revision.id], []],
  )
  assert.deepEqual(newestRevisionIds, [revision.id])
  await refused(open(analysis, all, bob), denied)
  await bench.client.deleteNode({ id: analysis.id }, ada)
  for (const node of [figure, analysis]) await refused(open(node, all, ada), notFound)
})

test('more than two types, what is no type, and too many revisions are refused by name', async () => {
  const { figure } = await makeTree(bench)
  const bad = (field: string) => ({ code: 'InvalidArgument', field }) as const
  const unknown = 99 as NodeType
  for (const children of [[FIGURE, FIGURE, FIGURE], [NodeType.UNSPECIFIED], [FIGURE, unknown]]) {
    await refused(open(figure, { children }), bad('children'))
  }
  for (const newestRevisions of [-1, 1001]) {
    await refused(open(figure, { newestRevisions }), bad('newest_revisions'))
  }
})
