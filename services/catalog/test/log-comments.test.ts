import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { actAs } from '@figbase/kit'
import { userWithKey } from '@figbase/kit/testing'
import { type Node, Permission } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ASSET,
  ada,
  type Bench,
  bob,
  cyd,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
  grant,
  make,
  makeAssetRevision,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  ORGANIZATION,
  refused,
  startBench,
  unauthenticated,
  WORKSPACE,
} from './bench.js'
import { startComments } from './comments.js'

let bench: Bench
let comments: Awaited<ReturnType<typeof startComments>>
before(async () => {
  bench = await startBench()
  comments = await startComments(bench.databaseUrl)
})
after(async () => {
  await comments[Symbol.asyncDispose]()
  await bench[Symbol.asyncDispose]()
})

type Commented = Pick<Node, 'id' | 'type'>

async function say({ id: targetId, type: targetType }: Commented, as = ada, parentCommentId = '') {
  const request = { targetId, targetType, parentCommentId, content: 'So it is' }
  const { comment } = await comments.client.createComment(request, as)
  return comment?.id ?? ''
}

/** Until catalog has handled all that was said. */
async function logged() {
  const sql = `select (select count(*) from comments.outbox) + (select count(*) from comments.outbox_sent)
    - (select count(*) from inbox where consumer = 'log-comments') as waiting,
    (select count(*) from parked) as parked`
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(20)) {
    const [queues] = await bench.query<{ waiting: bigint; parked: bigint }>(sql)
    assert.equal(queues?.parked, 0n)
    if (queues.waiting === 0n) return
  }
  throw new Error('the events of comments are not handled')
}

type View = { excludeDeleted?: boolean; deduplicate?: boolean }

async function log({ id, type }: Commented, view: View = {}) {
  const request = { id, type, detailed: true, ...view }
  return (await bench.client.listActivity(request, ada)).entries
}

const told = async (node: Commented, view: View = {}) =>
  (await log(node, view)).map(({ action, targetId }) => `${action} ${targetId}`)

test('comments stand in the log of their target and of all above it, with who, when and where', async () => {
  const organization = await make(bench, ORGANIZATION)
  const request = { type: WORKSPACE, name: 'w', parentId: organization.id }
  const { node: workspace } = await bench.client.createNode(request, ada)
  assert.ok(workspace)
  const analysis = await make(bench, ANALYSIS, workspace.id)
  const figure = await make(bench, FIGURE, analysis.id)
  const revision = await makeRevision(bench, figure.id)
  await grant(bench, 'bob', workspace, 'viewer')

  const id = await say(revision, bob)
  await comments.client.updateComment({ id }, bob)
  const answer = await say(revision, actAs(userWithKey('cyd')), id)
  await comments.client.deleteComment({ id }, bob)
  await logged()
  const four = ['delete', 'create', 'update', 'create'].map((a) => `comment_${a} ${revision.id}`)
  for (const above of [revision, figure, analysis, workspace, organization]) {
    assert.deepEqual((await told(above)).slice(0, 4), four)
  }
  const entries = (await log(workspace)).slice(0, 4)
  assert.deepEqual(
    entries.map(({ actor, actorKind, payloadJson }) => [actor, actorKind, payloadJson]),
    [
      ['bob', 'user', `{"comment":"${id}"}`],
      ['cyd', 'api_key', `{"comment":"${answer}","parent":"${id}"}`],
      ['bob', 'user', `{"comment":"${id}"}`],
      ['bob', 'user', `{"comment":"${id}"}`],
    ],
  )
  for (const entry of entries) {
    const { entry: single } = await bench.client.getActivity(
      { id: analysis.id, type: ANALYSIS, entryId: entry.id },
      bob,
    )
    assert.deepEqual(single, entry)
    const { targetName, targetDeleted, analysisId, newestRevisionIds } = entry
    assert.deepEqual([targetName, targetDeleted], [figure.name, false])
    assert.deepEqual([analysisId, newestRevisionIds], [analysis.id, [revision.id]])
  }
})

test('a link alone shows no comments in a log, and no part in them, unless the site says so', async () => {
  const { figure } = await makeTree(bench)
  const { id, type } = figure
  await bench.client.setLinkShare({ id, type, enabled: true }, ada)
  await bench.client.setUserShare({ id, type, username: 'cyd', enabled: true }, ada)
  await say(figure)
  await logged()
  const [newest] = await log(figure)
  assert.equal(newest?.action, 'comment_create')
  const entryId = newest.id
  const actionsOf = async ({ client }: Pick<Bench, 'client'>, as: typeof ada, view: View = {}) => {
    const request = { id, type, detailed: true, ...view }
    const { entries, totalCount } = await client.listActivity(request, as)
    assert.equal(totalCount, entries.length)
    return entries.map(({ action }) => action)
  }
  const asked = { id, type, permission: Permission.COMMENT }
  for (const as of [ada, cyd]) {
    assert.deepEqual(await actionsOf(bench, as), ['comment_create', 'create'])
    await bench.client.checkAccess(asked, as)
  }
  for (const view of [{}, { deduplicate: true }, { excludeDeleted: true }]) {
    assert.deepEqual(await actionsOf(bench, bob, view), ['create'])
  }
  await refused(bench.client.getActivity({ id, type, entryId }, bob), notFound)
  await refused(bench.client.checkAccess(asked, bob), denied)
  await refused(bench.client.checkAccess(asked, nobody), unauthenticated)

  const env = { LINK_SHARING_SHOWS_COMMENTS: 'true' }
  await using open = await startBench({ env, databaseUrl: bench.databaseUrl })
  for (const as of [bob, nobody]) await open.client.checkAccess(asked, as)
  assert.deepEqual(await actionsOf(open, bob), ['comment_create', 'create'])
  await open.client.getActivity({ id, type, entryId }, bob)
})

test('an entry has the time and the id of its event, which no other event tells of', async () => {
  const { figure } = await makeTree(bench)
  const published = async () =>
    (await bench.query('select 1 from outbox union all select 1 from outbox_sent')).length
  const before = await published()
  await say(figure)
  await logged()
  assert.equal(await published(), before)
  const rows = await bench.query<{ id: string; is_same: boolean; request_id: string }>(`
    select a.id, a.request_id,
           a.at = (e.message->'payload'->>'at')::timestamptz and a.path[3] = a.target_id as is_same
      from activity a join comments.outbox_sent e on (e.message->>'id')::uuid = a.id
     where a.target_id = '${figure.id}'`)
  assert.deepEqual(
    rows.map(({ is_same, request_id }) => [is_same, request_id]),
    [[true, 'request-1']],
  )
})

test('a comment moves no time, sum or version', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const nodes = [workspace, analysis, figure]
  const states = async () => {
    const found = []
    for (const node of nodes) found.push(await get(bench, node))
    return found
  }
  const before = await states()
  await say(figure)
  await logged()
  assert.deepEqual(await states(), before)
})

test('a comment is a contribution of its author', async () => {
  const { figure } = await makeTree(bench)
  const today = async (as = ada) =>
    (await bench.client.listContributions({}, as)).days.at(-1)?.count ?? 0
  const [ofAda, ofCyd] = [await today(), await today(cyd)]
  await say(figure, cyd)
  await logged()
  assert.deepEqual([await today(), await today(cyd)], [ofAda, ofCyd + 1])
  const own = await bench.people.listOwnActivity({}, cyd)
  const last = own.entries.at(-1)
  assert.deepEqual([last?.action, last?.targetId], ['comment_create', figure.id])
})

test('views leave out comments on what was deleted, and all but the newest entry of each target', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const asset = await make(bench, ASSET, workspace.id)
  const data = await makeAssetRevision(bench, asset.id)
  await say(figure)
  await say(data)
  await say(data)
  await logged()
  const made = [asset, analysis, workspace].map(({ id }) => `create ${id}`)
  const ofBoth = [`comment_create ${data.id}`, `comment_create ${figure.id}`]
  assert.deepEqual(await told(workspace, { deduplicate: true }), [...ofBoth, ...made])
  await bench.client.deleteNode({ id: data.id }, ada)
  assert.deepEqual(await told(workspace, { excludeDeleted: true }), [
    `comment_create ${figure.id}`,
    `create ${asset.id}`,
    ...[figure, analysis, workspace].map(({ id }) => `create ${id}`),
  ])
  assert.deepEqual((await told(asset)).slice(0, 3), [
    `delete ${data.id}`,
    ...Array(2).fill(`comment_create ${data.id}`),
  ])
})

test('after a move, comments stand in the log of the new place, earlier ones in that of the old', async () => {
  const from = await makeTree(bench)
  const to = await makeTree(bench)
  const revision = await makeRevision(bench, from.figure.id)
  await say(revision)
  await logged()
  await bench.client.updateNode({ id: from.figure.id, parentId: to.analysis.id }, ada)
  await say(from.figure)
  await logged()
  const about = async (node: Node) => (await told(node)).filter((one) => one.startsWith('comment'))
  const [old, young] = [`comment_create ${revision.id}`, `comment_create ${from.figure.id}`]
  for (const node of [from.analysis, from.workspace]) assert.deepEqual(await about(node), [old])
  for (const node of [to.analysis, to.workspace]) assert.deepEqual(await about(node), [young])
  assert.deepEqual(await about(from.figure), [young, old])
})

test('of what was deleted meanwhile, or with what it lived in, nothing is written, and nothing waits', async () => {
  const { analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id)
  const pending = await bench.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  await bench.client.deleteNode({ id: figure.id }, ada)
  const before = await told(analysis)
  for (const id of [figure.id, revision.id, pending.id]) await say({ id, type: figure.type })
  await logged()
  assert.deepEqual(await told(analysis), before)
  assert.equal((await bench.query('select 1 from dead_letter')).length, 0)
})
