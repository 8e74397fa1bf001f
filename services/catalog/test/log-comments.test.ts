import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { actAs } from '@figbase/kit/rpc'
import { userWithKey } from '@figbase/kit/testing'
import { type Node, Permission } from '@figbase/proto/catalog'
import { startComments } from './comments.js'
import {
  ANALYSIS,
  ASSET,
  ada,
  assertError,
  bob,
  createAssetRevision,
  createNode,
  createRevision,
  createTree,
  cyd,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
  grant,
  nobody,
  notFound,
  ORGANIZATION,
  startTestCatalog,
  type TestCatalog,
  unauthenticated,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
let comments: Awaited<ReturnType<typeof startComments>>
before(async () => {
  catalog = await startTestCatalog()
  comments = await startComments(catalog.databaseUrl)
})
after(async () => {
  await comments[Symbol.asyncDispose]()
  await catalog[Symbol.asyncDispose]()
})

type Commented = Pick<Node, 'id' | 'type'>

async function createComment(
  { id: targetId, type: targetType }: Commented,
  as = ada,
  parentCommentId = '',
) {
  const request = { targetId, targetType, parentCommentId, content: 'I agree' }
  const { comment } = await comments.client.createComment(request, as)
  return comment?.id ?? ''
}

/** Waits until catalog has handled all comment events. */
async function waitForEvents() {
  const sql = `select (select count(*) from comments.outbox) + (select count(*) from comments.outbox_sent)
    - (select count(*) from inbox where consumer = 'log-comments') as waiting,
    (select count(*) from parked) as parked`
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(20)) {
    const [queues] = await catalog.query<{ waiting: bigint; parked: bigint }>(sql)
    assert.equal(queues?.parked, 0n)
    if (queues.waiting === 0n) return
  }
  throw new Error('the comment events were not handled in time')
}

type View = { excludeDeleted?: boolean; deduplicate?: boolean }

async function log({ id, type }: Commented, view: View = {}) {
  const request = { id, type, detailed: true, ...view }
  return (await catalog.client.listActivity(request, ada)).entries
}

const entriesOf = async (node: Commented, view: View = {}) =>
  (await log(node, view)).map(({ action, targetId }) => `${action} ${targetId}`)

test('comments appear in the logs of their target and its ancestors, with actor, time and place', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const request = { type: WORKSPACE, name: 'w', parentId: organization.id }
  const { node: workspace } = await catalog.client.createNode(request, ada)
  assert.ok(workspace)
  const analysis = await createNode(catalog, ANALYSIS, workspace.id)
  const figure = await createNode(catalog, FIGURE, analysis.id)
  const revision = await createRevision(catalog, figure.id)
  await grant(catalog, 'bob', workspace, 'viewer')

  const id = await createComment(revision, bob)
  await comments.client.updateComment({ id }, bob)
  const reply = await createComment(revision, actAs(userWithKey('cyd')), id)
  await comments.client.deleteComment({ id }, bob)
  await waitForEvents()
  const four = ['delete', 'create', 'update', 'create'].map((a) => `comment_${a} ${revision.id}`)
  for (const above of [revision, figure, analysis, workspace, organization]) {
    assert.deepEqual((await entriesOf(above)).slice(0, 4), four)
  }
  const entries = (await log(workspace)).slice(0, 4)
  assert.deepEqual(
    entries.map(({ actor, actorKind, payloadJson }) => [actor, actorKind, payloadJson]),
    [
      ['bob', 'user', `{"comment":"${id}"}`],
      ['cyd', 'api_key', `{"comment":"${reply}","parent":"${id}"}`],
      ['bob', 'user', `{"comment":"${id}"}`],
      ['bob', 'user', `{"comment":"${id}"}`],
    ],
  )
  for (const entry of entries) {
    const { entry: single } = await catalog.client.getActivity(
      { id: analysis.id, type: ANALYSIS, entryId: entry.id },
      bob,
    )
    assert.deepEqual(single, entry)
    const { targetName, targetDeleted, analysisId, newestRevisionIds } = entry
    assert.deepEqual([targetName, targetDeleted], [figure.name, false])
    assert.deepEqual([analysisId, newestRevisionIds], [analysis.id, [revision.id]])
  }
})

test('a link grants no access to comments and their entries, unless the setting allows it', async () => {
  const { figure } = await createTree(catalog)
  const { id, type } = figure
  await catalog.client.setLinkShare({ id, type, enabled: true }, ada)
  await catalog.client.setUserShare({ id, type, username: 'cyd', enabled: true }, ada)
  await createComment(figure)
  await waitForEvents()
  const [newest] = await log(figure)
  assert.equal(newest?.action, 'comment_create')
  const entryId = newest.id
  const actionsOf = async (
    { client }: Pick<TestCatalog, 'client'>,
    as: typeof ada,
    view: View = {},
  ) => {
    const request = { id, type, detailed: true, ...view }
    const { entries, totalCount } = await client.listActivity(request, as)
    assert.equal(totalCount, entries.length)
    return entries.map(({ action }) => action)
  }
  const asked = { id, type, permission: Permission.COMMENT }
  for (const as of [ada, cyd]) {
    assert.deepEqual(await actionsOf(catalog, as), ['comment_create', 'create'])
    await catalog.client.checkAccess(asked, as)
  }
  for (const view of [{}, { deduplicate: true }, { excludeDeleted: true }]) {
    assert.deepEqual(await actionsOf(catalog, bob, view), ['create'])
  }
  await assertError(catalog.client.getActivity({ id, type, entryId }, bob), notFound)
  await assertError(catalog.client.checkAccess(asked, bob), denied)
  await assertError(catalog.client.checkAccess(asked, nobody), unauthenticated)

  const env = { LINK_SHARING_SHOWS_COMMENTS: 'true' }
  await using open = await startTestCatalog({ env, databaseUrl: catalog.databaseUrl })
  for (const as of [bob, nobody]) await open.client.checkAccess(asked, as)
  assert.deepEqual(await actionsOf(open, bob), ['comment_create', 'create'])
  await open.client.getActivity({ id, type, entryId }, bob)
})

test('an entry has the time and id of its event, and is not published again', async () => {
  const { figure } = await createTree(catalog)
  const published = async () =>
    (await catalog.query('select 1 from outbox union all select 1 from outbox_sent')).length
  const before = await published()
  await createComment(figure)
  await waitForEvents()
  assert.equal(await published(), before)
  const rows = await catalog.query<{ id: string; is_same: boolean; request_id: string }>(`
    select a.id, a.request_id,
           a.at = (e.message->'payload'->>'at')::timestamptz and a.path[3] = a.target_id as is_same
      from activity a join comments.outbox_sent e on (e.message->>'id')::uuid = a.id
     where a.target_id = '${figure.id}'`)
  assert.deepEqual(
    rows.map(({ is_same, request_id }) => [is_same, request_id]),
    [[true, 'request-1']],
  )
})

test('a comment changes no time, sum or version', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const nodes = [workspace, analysis, figure]
  const states = async () => {
    const found = []
    for (const node of nodes) found.push(await get(catalog, node))
    return found
  }
  const before = await states()
  await createComment(figure)
  await waitForEvents()
  assert.deepEqual(await states(), before)
})

test('a comment counts as a contribution of its author', async () => {
  const { figure } = await createTree(catalog)
  const today = async (as = ada) =>
    (await catalog.client.listContributions({}, as)).days.at(-1)?.count ?? 0
  const [ofAda, ofCyd] = [await today(), await today(cyd)]
  await createComment(figure, cyd)
  await waitForEvents()
  assert.deepEqual([await today(), await today(cyd)], [ofAda, ofCyd + 1])
  const own = await catalog.people.listOwnActivity({}, cyd)
  const last = own.entries.at(-1)
  assert.deepEqual([last?.action, last?.targetId], ['comment_create', figure.id])
})

test('views omit comments on deleted targets and older entries of each target on request', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const asset = await createNode(catalog, ASSET, workspace.id)
  const data = await createAssetRevision(catalog, asset.id)
  await createComment(figure)
  await createComment(data)
  await createComment(data)
  await waitForEvents()
  const made = [asset, analysis, workspace].map(({ id }) => `create ${id}`)
  const ofBoth = [`comment_create ${data.id}`, `comment_create ${figure.id}`]
  assert.deepEqual(await entriesOf(workspace, { deduplicate: true }), [...ofBoth, ...made])
  await catalog.client.deleteNode({ id: data.id }, ada)
  assert.deepEqual(await entriesOf(workspace, { excludeDeleted: true }), [
    `comment_create ${figure.id}`,
    `create ${asset.id}`,
    ...[figure, analysis, workspace].map(({ id }) => `create ${id}`),
  ])
  assert.deepEqual((await entriesOf(asset)).slice(0, 3), [
    `delete ${data.id}`,
    ...Array(2).fill(`comment_create ${data.id}`),
  ])
})

test('comments before a move stay in the log of the old place, later ones appear in the new one', async () => {
  const from = await createTree(catalog)
  const to = await createTree(catalog)
  const revision = await createRevision(catalog, from.figure.id)
  await createComment(revision)
  await waitForEvents()
  await catalog.client.updateNode({ id: from.figure.id, parentId: to.analysis.id }, ada)
  await createComment(from.figure)
  await waitForEvents()
  const about = async (node: Node) =>
    (await entriesOf(node)).filter((one) => one.startsWith('comment'))
  const [old, young] = [`comment_create ${revision.id}`, `comment_create ${from.figure.id}`]
  for (const node of [from.analysis, from.workspace]) assert.deepEqual(await about(node), [old])
  for (const node of [to.analysis, to.workspace]) assert.deepEqual(await about(node), [young])
  assert.deepEqual(await about(from.figure), [young, old])
})

test('ignores comments on targets that were deleted meanwhile', async () => {
  const { analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id)
  const pending = await catalog.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  await catalog.client.deleteNode({ id: figure.id }, ada)
  const before = await entriesOf(analysis)
  for (const id of [figure.id, revision.id, pending.id])
    await createComment({ id, type: figure.type })
  await waitForEvents()
  assert.deepEqual(await entriesOf(analysis), before)
  assert.equal((await catalog.query('select 1 from dead_letter')).length, 0)
})
