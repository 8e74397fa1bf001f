import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect'
import { invalid, type Service } from '@figbase/kit'
import { startTestService } from '@figbase/kit/testing'
import { CatalogService, NodeType } from '@figbase/proto/catalog'
import { CommentsService } from '@figbase/proto/comments'
import { sql } from 'kysely'
import type { Ctx } from '../src/context.js'
import { comments } from '../src/index.js'
import { purgeDeleted } from '../src/jobs/purge-deleted.js'
import { ann, bob } from './started.js'

const { FIGURE, FIGURE_REVISION, ASSET, ASSET_REVISION } = NodeType
const targetTypes = [FIGURE, FIGURE_REVISION, ASSET, ASSET_REVISION]

/** The service beside a catalog that lets everybody view everything, and tells of these deletions. */
async function startPurging() {
  let ctx: Ctx | undefined
  const deleted: string[][] = []
  const asked: { pageToken: string }[] = []
  /** Called before each answer. */
  const answering = { run: (_pageToken: string) => {} }
  const catalog = (router: ConnectRouter) =>
    router.service(CatalogService, {
      checkAccess: ({ type }) => ({ type, workspaceId: randomUUID() }),
      listDeletedNodes({ pageToken, types }) {
        asked.push({ pageToken })
        answering.run(pageToken)
        if (!targetTypes.every((type) => types.includes(type))) throw invalid('types', 'are less')
        const at = Number(pageToken || '0')
        const next = Math.min(at + 1, deleted.length)
        return { ids: deleted[at] ?? [], nextPageToken: `${next}`, hasMore: next < deleted.length }
      },
    })
  const observed: Service = {
    ...comments,
    context: (kit, cfg) => {
      ctx = comments.context(kit, cfg)
      return ctx
    },
  }
  const started = await startTestService(observed, {
    transport: 'local',
    neighbours: catalog,
  })
  assert.ok(ctx)
  const own = ctx
  const { db } = own
  const client = started.client(CommentsService)
  const query = async <Row>(text: string) => (await sql.raw<Row>(text).execute(db)).rows
  return {
    client,
    deleted,
    asked,
    answering,
    query,
    /** As the queue runs it. */
    run: (signal = new AbortController().signal) => purgeDeleted.run(own, {}, signal, 1),
    /** How many rows of a target there are. */
    async rowsOf(targetId: string) {
      const [row] = await query<Record<string, number>>(`
        with c as (select id from comment where target_id = '${targetId}')
        select (select count(*)::int from target where id = '${targetId}') as targets,
               (select count(*)::int from c) as comments,
               (select count(*)::int from reaction r join c on c.id = r.comment_id) as reactions,
               (select count(*)::int from mention m join c on c.id = m.comment_id) as mentions`)
      return row
    },
    async write(targetId: string, targetType = FIGURE, parentCommentId = '') {
      const request = { targetId, targetType, parentCommentId, content: 'So it is' }
      const { comment } = await client.createComment(request, ann)
      return comment?.id ?? ''
    },
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}

const nothing = { targets: 0, comments: 0, reactions: 0, mentions: 0 }

test('comments go with all that is theirs when what they are about was deleted and its time is over', async () => {
  await using at = await startPurging()
  const [kept, ...gone] = [ASSET, ...targetTypes].map((type) => ({ id: randomUUID(), type }))
  assert.ok(kept)
  for (const { id, type } of [kept, ...gone]) {
    const first = await at.write(id, type)
    const answer = await at.write(id, type, first)
    await at.client.createReaction({ commentId: answer, emoji: '👍' }, bob)
    await at.query(`insert into mention (comment_id, username) values ('${first}', 'bob')`)
    // Of this, the place alone is left.
    await at.write(id, type, await at.write(id, type, first))
    await at.client.deleteComment({ id: first }, ann)
  }
  await at.query(
    `insert into mention (comment_id, username) select id, 'cyd' from comment where parent_id is not null`,
  )
  const all = await at.rowsOf(kept.id)
  assert.deepEqual(all, { targets: 1, comments: 4, reactions: 1, mentions: 3 })
  // Others were deleted that nobody commented on.
  at.deleted.push(
    [gone[0]?.id ?? '', randomUUID()],
    gone.slice(1).map(({ id }) => id),
    [],
  )
  const began = Date.now()
  await at.query(`select enqueue_job('purge-deleted', null, '{}', null, 0, null, 1)`)
  const isWaiting = async () =>
    (await at.query(`select from job where name = 'purge-deleted'`)).length
  for (const deadline = began + 20_000; await isWaiting(); await sleep(20)) {
    assert.ok(Date.now() < deadline, 'the job does not end')
  }
  for (const { id } of gone) assert.deepEqual(await at.rowsOf(id), nothing)
  assert.deepEqual(await at.rowsOf(kept.id), all)
  assert.deepEqual(
    at.asked.map(({ pageToken }) => pageToken),
    ['', '1', '2'],
  )
})

test('threads go in batches, whatever their times say', async () => {
  await using at = await startPurging()
  const targetId = randomUUID()
  // A thread of 20 levels and 1,000 comments; each answer is dated before what it answers.
  await at.query(`
    insert into target (id, type) values ('${targetId}', 'figure');
    insert into comment (id, target_id, parent_id, depth, author, content, created_on, updated_on)
    select md5(n::text)::uuid, '${targetId}', case when n > 50 then md5((n - 50)::text)::uuid end,
           (n + 49) / 50, 'ann', 'x', now() - n * interval '1 s', now()
      from generate_series(1, 1000) n`)
  at.deleted.push([targetId])
  await at.run()
  assert.deepEqual(await at.rowsOf(targetId), nothing)
})

test('a purge that was stopped goes on where it was', async () => {
  await using at = await startPurging()
  const [first, second] = [randomUUID(), randomUUID()]
  for (const id of [first, second]) await at.write(id)
  at.deleted.push([first], [second])
  const stop = new AbortController()
  at.answering.run = (pageToken) => {
    if (pageToken) throw new ConnectError('away', Code.Unavailable)
  }
  await assert.rejects(at.run(), { code: Code.Unavailable })
  assert.deepEqual(await at.rowsOf(first), nothing)
  at.answering.run = () => stop.abort()
  await assert.rejects(at.run(stop.signal))
  assert.equal((await at.rowsOf(second))?.comments, 1)
  // It ends when all was removed, and before that was noted.
  at.answering.run = () => {}
  await at.query(`
    create function fail() returns trigger language plpgsql as $$ begin raise 'crash'; end $$;
    create trigger crash before update on purge_progress for each row execute function fail()`)
  await assert.rejects(at.run(), /crash/)
  assert.deepEqual(await at.rowsOf(second), nothing)
  await at.query('drop trigger crash on purge_progress')
  await at.run()
  // From then on only what was deleted since.
  const third = randomUUID()
  await at.write(third)
  at.deleted.push([third])
  await at.run()
  assert.deepEqual(await at.rowsOf(third), nothing)
  const tokens = at.asked.map(({ pageToken }) => pageToken)
  assert.deepEqual(tokens, ['', '1', '1', '1', '1', '2'])
})
