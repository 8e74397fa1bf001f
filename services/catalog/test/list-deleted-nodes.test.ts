import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { actAsSystem } from '@figbase/kit'
import { NodeType } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ASSET,
  ASSET_REVISION,
  ada,
  type Bench,
  FIGURE,
  FIGURE_REVISION,
  make,
  makeAssetRevision,
  makeRevision,
  makeTree,
  refused,
  startBench,
  system,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench({ env: { DELETED_RETENTION: '0s' } })
})
after(() => bench[Symbol.asyncDispose]())

const revisions = [FIGURE_REVISION, ASSET_REVISION]
const all = [FIGURE, ASSET, ...revisions]

const at = (ms: number) => ({ seconds: BigInt(Math.floor(ms / 1000)), nanos: 0 })
const later = () => at(Date.now() + 60_000)

/** All that is told of from a token on, and the token with which to go on. */
async function listAll(pageToken = '', deletedBefore = later(), types = revisions) {
  const ids: string[] = []
  for (let token = pageToken; ; ) {
    const page = await bench.client.listDeletedNodes(
      { deletedBefore, pageToken: token, types },
      system,
    )
    ids.push(...page.ids)
    token = page.nextPageToken
    if (!page.hasMore) return { ids, token }
  }
}

/** Where the last test has come to: while others write, the newest deletions wait. */
let reached = ''

/** As soon as no transaction can bring a deletion before them any more. */
async function told(pageToken: string, expected: string[], types = revisions) {
  for (const deadline = Date.now() + 20_000; ; await sleep(50)) {
    const { ids, token } = await listAll(pageToken, later(), types)
    if (ids.length < expected.length && Date.now() < deadline) continue
    assert.deepEqual(ids.toSorted(), expected.toSorted())
    reached = token
    return token
  }
}

const remove = (id: string, type: number) => bench.client.deleteNode({ id, type }, ada)

test('revisions are told of that were deleted by themselves or with what they lived in', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const asset = await make(bench, ASSET, workspace.id)
  const single = await makeRevision(bench, figure.id)
  const inFigure = await makeRevision(bench, figure.id)
  const data = await makeAssetRevision(bench, asset.id)
  const other = await make(bench, FIGURE, analysis.id)
  const inAnalysis = await makeRevision(bench, other.id)
  const third = await make(bench, FIGURE, (await make(bench, ANALYSIS, workspace.id)).id)
  const inWorkspace = await makeRevision(bench, third.id)
  let token = reached

  await remove(single.id, FIGURE_REVISION)
  token = await told(token, [single.id])
  await remove(figure.id, FIGURE)
  token = await told(token, [single.id, inFigure.id])
  await remove(asset.id, ASSET)
  token = await told(token, [data.id])
  await remove(analysis.id, ANALYSIS)
  token = await told(token, [single.id, inFigure.id, inAnalysis.id])
  await remove(workspace.id, WORKSPACE)
  const every = [single.id, inFigure.id, inAnalysis.id, data.id, inWorkspace.id]
  token = await told(token, every)
  assert.deepEqual(await listAll(token), { ids: [], token })
})

test('of each deletion, nodes of the types that were asked for are told of, itself among them', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const asset = await make(bench, ASSET, workspace.id)
  const data = await makeAssetRevision(bench, asset.id)
  const revision = await makeRevision(bench, figure.id)
  const other = await make(bench, FIGURE, analysis.id)
  const third = await make(bench, FIGURE, (await make(bench, ANALYSIS, workspace.id)).id)
  const moved = await make(bench, FIGURE, analysis.id)
  await bench.client.updateNode(
    { id: moved.id, parentId: (await makeTree(bench)).analysis.id },
    ada,
  )
  let { token } = await listAll(reached, later(), all)

  const [ofFigures, ofAssets] = [[FIGURE], [ASSET]]
  await remove(figure.id, FIGURE)
  await told(token, [figure.id], ofFigures)
  token = await told(token, [figure.id, revision.id], all)
  await remove(asset.id, ASSET)
  await told(token, [asset.id], ofAssets)
  const withRevision = [figure.id, revision.id]
  token = await told(token, [asset.id, data.id], all)
  await remove(analysis.id, ANALYSIS)
  await told(token, [figure.id, other.id], ofFigures)
  token = await told(token, [...withRevision, other.id], all)
  await remove(workspace.id, WORKSPACE)
  await told(token, [figure.id, other.id, third.id], ofFigures)
  await told(token, [asset.id], ofAssets)
  token = await told(token, [...withRevision, other.id, third.id, asset.id, data.id], all)
  assert.deepEqual(await listAll(token, later(), all), { ids: [], token })
})

test('a large branch is told of page by page, each of it once, and deletions after it are not missed', async () => {
  const { workspace } = await makeTree(bench)
  const start = reached
  await bench.query(`
    insert into node (id, type, parent_id, lineage, workspace_id, state, created_by, created_on)
    select gen_random_uuid(), (array['asset', 'figure', 'asset_revision', 'figure_revision'])[n % 4 + 1],
           gen_random_uuid(), array['${workspace.id}'::uuid], '${workspace.id}', 'active', 'ada',
           now() - n % 7 * interval '1 s'
      from generate_series(1, 2500) n`)
  const { figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id)
  await remove(workspace.id, WORKSPACE)
  // More deletions than one call looks at, with nothing below them.
  await bench.query(`
    with gone as (
      insert into node (id, type, lineage, state, created_by)
      select gen_random_uuid(), 'analysis', '{}', 'active', 'ada' from generate_series(1, 250)
      returning id
    ) insert into tombstone (node_id, deleted_by) select id, 'ada' from gone`)
  await remove(revision.id, FIGURE_REVISION)
  const below = await bench.query<{ id: string }>(
    `select id from node where workspace_id = '${workspace.id}' and type not in ('workspace', 'analysis')`,
  )
  assert.equal(below.length, 2501)
  await told(start, [...below.map(({ id }) => id), revision.id], all)
})

test('what was deleted later is not told of, nor anything that a deletion under way might follow', async () => {
  const { figure } = await makeTree(bench)
  const start = reached
  const revision = await makeRevision(bench, figure.id)
  await remove(revision.id, FIGURE_REVISION)
  const long = at(Date.now() - 60_000)
  assert.deepEqual((await listAll(start, long)).ids, [])

  // As a deletion that began before that one, and is committed after it.
  await bench.query(
    `update tombstone set deleted_on = now() + interval '2 s' where node_id = '${revision.id}'`,
  )
  await bench.ctx.transact(async (tx) => {
    await tx.selectFrom('node').select('id').limit(1).execute()
    assert.deepEqual((await listAll(start)).ids, [])
  })
  await told(start, [revision.id])
})

test('what is still kept is not listed, whatever time is asked for, and can be restored', async () => {
  await using own = await startBench()
  const { figure } = await makeTree(own)
  await own.client.deleteNode({ id: figure.id }, ada)
  await own.query(`update tombstone set deleted_on = now() - interval '29 days'`)
  const told = async () =>
    (await own.client.listDeletedNodes({ deletedBefore: later(), types: all }, system)).ids
  assert.deepEqual(await told(), [])
  assert.deepEqual(await own.query('select from tombstone where purge_began_on is not null'), [])
  await own.query(`update tombstone set deleted_on = now() - interval '30 days 1 s'`)
  assert.deepEqual(await told(), [figure.id])
})

test('only services may ask', async () => {
  const deletedBefore = later()
  await refused(bench.client.listDeletedNodes({ deletedBefore, types: all }, ada), {
    code: 'PermissionDenied',
  })
  const as = actAsSystem()
  for (const types of [[], [WORKSPACE], [FIGURE, 99], [NodeType.UNSPECIFIED]]) {
    await refused(bench.client.listDeletedNodes({ deletedBefore, types }, as), {
      code: 'InvalidArgument',
      field: 'types',
    })
  }
  const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const pageToken of ['x', forged(['1', '2', '3', '4']), forged({}), forged(null)]) {
    await refused(bench.client.listDeletedNodes({ deletedBefore, pageToken, types: all }, as), {
      code: 'InvalidArgument',
      field: 'page_token',
    })
  }
})
