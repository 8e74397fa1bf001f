import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { actAsSystem } from '@figbase/kit'
import {
  ANALYSIS,
  ASSET,
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
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

const at = (ms: number) => ({ seconds: BigInt(Math.floor(ms / 1000)), nanos: 0 })
const later = () => at(Date.now() + 60_000)

/** All that is told of from a token on, and the token with which to go on. */
async function listAll(pageToken = '', deletedBefore = later()) {
  const ids: string[] = []
  for (let token = pageToken; ; ) {
    const page = await bench.client.listDeletedRevisions(
      { deletedBefore, pageToken: token },
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
async function told(pageToken: string, expected: string[]) {
  for (const deadline = Date.now() + 20_000; ; await sleep(50)) {
    const { ids, token } = await listAll(pageToken)
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
  const all = [single.id, inFigure.id, inAnalysis.id, data.id, inWorkspace.id]
  token = await told(token, all)
  assert.deepEqual(await listAll(token), { ids: [], token })
})

test('a large branch is told of page by page, each of it once, and deletions after it are not missed', async () => {
  const { workspace } = await makeTree(bench)
  const start = reached
  await bench.query(`
    insert into node (id, type, parent_id, lineage, workspace_id, state, created_by, created_on)
    select gen_random_uuid(), case n % 3 when 0 then 'asset_revision' else 'figure_revision' end,
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
      select gen_random_uuid(), 'figure', '{}', 'active', 'ada' from generate_series(1, 250)
      returning id
    ) insert into tombstone (node_id, deleted_by) select id, 'ada' from gone`)
  await remove(revision.id, FIGURE_REVISION)
  const below = await bench.query<{ id: string }>(
    `select id from node where workspace_id = '${workspace.id}' and type like '%_revision'`,
  )
  assert.equal(below.length, 2500)
  await told(start, [...below.map(({ id }) => id), revision.id])
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

test('only services may ask', async () => {
  const deletedBefore = later()
  await refused(bench.client.listDeletedRevisions({ deletedBefore }, ada), {
    code: 'PermissionDenied',
  })
  const as = actAsSystem()
  await refused(bench.client.listDeletedRevisions({}, as), {
    code: 'InvalidArgument',
    field: 'deleted_before',
  })
  const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const pageToken of ['x', forged(['1', '2', '3', '4']), forged({}), forged(null)]) {
    await refused(bench.client.listDeletedRevisions({ deletedBefore, pageToken }, as), {
      code: 'InvalidArgument',
      field: 'page_token',
    })
  }
})
