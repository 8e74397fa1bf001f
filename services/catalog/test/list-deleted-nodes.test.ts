import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { actAsSystem } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ASSET,
  ASSET_REVISION,
  ada,
  assertError,
  createAssetRevision,
  createNode,
  createRevision,
  createTree,
  FIGURE,
  FIGURE_REVISION,
  startTestCatalog,
  system,
  type TestCatalog,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog({ env: { DELETED_RETENTION: '0s' } })
})
after(() => catalog[Symbol.asyncDispose]())

const revisions = [FIGURE_REVISION, ASSET_REVISION]
const all = [FIGURE, ASSET, ...revisions]

const at = (ms: number) => ({ seconds: BigInt(Math.floor(ms / 1000)), nanos: 0 })
const later = () => at(Date.now() + 60_000)

/** All listed ids from a token on, and the next token. */
async function listAll(pageToken = '', deletedBefore = later(), types = revisions) {
  const ids: string[] = []
  for (let token = pageToken; ; ) {
    const page = await catalog.client.listDeletedNodes(
      { deletedBefore, pageToken: token, types },
      system,
    )
    ids.push(...page.ids)
    token = page.nextPageToken
    if (!page.hasMore) return { ids, token }
  }
}

/** The token where the last test ended. */
let lastToken = ''

/** Asserts the listed ids; waits until running transactions can no longer commit earlier deletions. */
async function assertListed(pageToken: string, expected: string[], types = revisions) {
  for (const deadline = Date.now() + 20_000; ; await sleep(50)) {
    const { ids, token } = await listAll(pageToken, later(), types)
    if (ids.length < expected.length && Date.now() < deadline) continue
    assert.deepEqual(ids.toSorted(), expected.toSorted())
    lastToken = token
    return token
  }
}

const remove = (id: string, type: number) => catalog.client.deleteNode({ id, type }, ada)

test('lists revisions that were deleted themselves or with an ancestor', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const asset = await createNode(catalog, ASSET, workspace.id)
  const single = await createRevision(catalog, figure.id)
  const inFigure = await createRevision(catalog, figure.id)
  const data = await createAssetRevision(catalog, asset.id)
  const other = await createNode(catalog, FIGURE, analysis.id)
  const inAnalysis = await createRevision(catalog, other.id)
  const third = await createNode(
    catalog,
    FIGURE,
    (await createNode(catalog, ANALYSIS, workspace.id)).id,
  )
  const inWorkspace = await createRevision(catalog, third.id)
  let token = lastToken

  await remove(single.id, FIGURE_REVISION)
  token = await assertListed(token, [single.id])
  await remove(figure.id, FIGURE)
  token = await assertListed(token, [single.id, inFigure.id])
  await remove(asset.id, ASSET)
  token = await assertListed(token, [data.id])
  await remove(analysis.id, ANALYSIS)
  token = await assertListed(token, [single.id, inFigure.id, inAnalysis.id])
  await remove(workspace.id, WORKSPACE)
  const every = [single.id, inFigure.id, inAnalysis.id, data.id, inWorkspace.id]
  token = await assertListed(token, every)
  assert.deepEqual(await listAll(token), { ids: [], token })
})

test('lists the nodes of the requested types of each deletion, the root included', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const asset = await createNode(catalog, ASSET, workspace.id)
  const data = await createAssetRevision(catalog, asset.id)
  const revision = await createRevision(catalog, figure.id)
  const other = await createNode(catalog, FIGURE, analysis.id)
  const third = await createNode(
    catalog,
    FIGURE,
    (await createNode(catalog, ANALYSIS, workspace.id)).id,
  )
  const moved = await createNode(catalog, FIGURE, analysis.id)
  await catalog.client.updateNode(
    { id: moved.id, parentId: (await createTree(catalog)).analysis.id },
    ada,
  )
  let { token } = await listAll(lastToken, later(), all)

  const [ofFigures, ofAssets] = [[FIGURE], [ASSET]]
  await remove(figure.id, FIGURE)
  await assertListed(token, [figure.id], ofFigures)
  token = await assertListed(token, [figure.id, revision.id], all)
  await remove(asset.id, ASSET)
  await assertListed(token, [asset.id], ofAssets)
  const withRevision = [figure.id, revision.id]
  token = await assertListed(token, [asset.id, data.id], all)
  await remove(analysis.id, ANALYSIS)
  await assertListed(token, [figure.id, other.id], ofFigures)
  token = await assertListed(token, [...withRevision, other.id], all)
  await remove(workspace.id, WORKSPACE)
  await assertListed(token, [figure.id, other.id, third.id], ofFigures)
  await assertListed(token, [asset.id], ofAssets)
  token = await assertListed(token, [...withRevision, other.id, third.id, asset.id, data.id], all)
  assert.deepEqual(await listAll(token, later(), all), { ids: [], token })
})

test('pages through a large subtree without repetition, and continues with later deletions', async () => {
  const { workspace } = await createTree(catalog)
  const start = lastToken
  await catalog.query(`
    insert into node (id, type, parent_id, lineage, workspace_id, state, created_by, created_on)
    select gen_random_uuid(), (array['asset', 'figure', 'asset_revision', 'figure_revision'])[n % 4 + 1],
           gen_random_uuid(), array['${workspace.id}'::uuid], '${workspace.id}', 'active', 'ada',
           now() - n % 7 * interval '1 s'
      from generate_series(1, 2500) n`)
  const { figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id)
  await remove(workspace.id, WORKSPACE)
  // More deletions than one call reads, without descendants.
  await catalog.query(`
    with gone as (
      insert into node (id, type, lineage, state, created_by)
      select gen_random_uuid(), 'analysis', '{}', 'active', 'ada' from generate_series(1, 250)
      returning id
    ) insert into tombstone (node_id, deleted_by) select id, 'ada' from gone`)
  await remove(revision.id, FIGURE_REVISION)
  const below = await catalog.query<{ id: string }>(
    `select id from node where workspace_id = '${workspace.id}' and type not in ('workspace', 'analysis')`,
  )
  assert.equal(below.length, 2501)
  await assertListed(start, [...below.map(({ id }) => id), revision.id], all)
})

test('does not list later deletions, nor deletions that a running transaction could precede', async () => {
  const { figure } = await createTree(catalog)
  const start = lastToken
  const revision = await createRevision(catalog, figure.id)
  await remove(revision.id, FIGURE_REVISION)
  const long = at(Date.now() - 60_000)
  assert.deepEqual((await listAll(start, long)).ids, [])

  // Simulates a deletion that began earlier and is committed later.
  await catalog.query(
    `update tombstone set deleted_on = now() + interval '2 s' where node_id = '${revision.id}'`,
  )
  await catalog.ctx.transact(async (tx) => {
    await tx.selectFrom('node').select('id').limit(1).execute()
    assert.deepEqual((await listAll(start)).ids, [])
  })
  await assertListed(start, [revision.id])
})

test('does not list restorable nodes, whatever time is requested', async () => {
  await using own = await startTestCatalog()
  const { figure } = await createTree(own)
  await own.client.deleteNode({ id: figure.id }, ada)
  await own.query(`update tombstone set deleted_on = now() - interval '29 days'`)
  const listedIds = async () =>
    (await own.client.listDeletedNodes({ deletedBefore: later(), types: all }, system)).ids
  assert.deepEqual(await listedIds(), [])
  assert.deepEqual(await own.query('select from tombstone where purge_began_on is not null'), [])
  await own.query(`update tombstone set deleted_on = now() - interval '30 days 1 s'`)
  assert.deepEqual(await listedIds(), [figure.id])
})

test('lists deleted workspaces, not those with deleted content', async () => {
  await using own = await startTestCatalog({ env: { DELETED_RETENTION: '0s' } })
  const [gone, kept] = [await createTree(own), await createTree(own)]
  await own.client.deleteNode({ id: gone.workspace.id }, ada)
  await own.client.deleteNode({ id: kept.figure.id }, ada)
  await own.query(`update tombstone set deleted_on = deleted_on - interval '1 day'`)
  const { ids } = await own.client.listDeletedNodes({ types: [WORKSPACE] }, system)
  assert.deepEqual(ids, [gone.workspace.id])
})

test('lists analyses that were deleted themselves or with their workspace', async () => {
  await using own = await startTestCatalog({ env: { DELETED_RETENTION: '0s' } })
  const [alone, within] = [await createTree(own), await createTree(own)]
  await own.client.deleteNode({ id: alone.analysis.id, type: ANALYSIS }, ada)
  await own.client.deleteNode({ id: within.workspace.id, type: WORKSPACE }, ada)
  await own.query(`update tombstone set deleted_on = deleted_on - interval '1 day'`)
  const types = [ANALYSIS, WORKSPACE]
  const { ids } = await own.client.listDeletedNodes({ types }, system)
  const expected = [alone.analysis.id, within.analysis.id, within.workspace.id]
  assert.deepEqual(ids.toSorted(), expected.toSorted())
})

test('only the system can call it', async () => {
  const deletedBefore = later()
  await assertError(catalog.client.listDeletedNodes({ deletedBefore, types: all }, ada), {
    code: 'PermissionDenied',
  })
  const as = actAsSystem()
  for (const types of [[], [NodeType.ORGANIZATION], [FIGURE, 99], [NodeType.UNSPECIFIED]]) {
    await assertError(catalog.client.listDeletedNodes({ deletedBefore, types }, as), {
      code: 'InvalidArgument',
      field: 'types',
    })
  }
  const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const pageToken of ['x', forged(['1', '2', '3', '4']), forged({}), forged(null)]) {
    await assertError(
      catalog.client.listDeletedNodes({ deletedBefore, pageToken, types: all }, as),
      {
        code: 'InvalidArgument',
        field: 'page_token',
      },
    )
  }
})
