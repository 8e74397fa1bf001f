import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import type { Service } from '@figbase/kit/service'
import { startTestService } from '@figbase/kit/testing'
import { CatalogService, NodeType } from '@figbase/proto/catalog'
import { CommentsService } from '@figbase/proto/comments'
import { sql } from 'kysely'
import type { Ctx } from '../src/context.js'
import { comments } from '../src/index.js'
import { purgeDeleted } from '../src/jobs/purge-deleted.js'
import { ann, bob } from './test-service.js'

const { FIGURE, FIGURE_REVISION, ASSET, ASSET_REVISION } = NodeType
const targetTypes = [FIGURE, FIGURE_REVISION, ASSET, ASSET_REVISION]

/** Starts the service with a stub of catalog that grants all permissions and lists the deletions in `deleted`. */
async function startPurging() {
  let ctx: Ctx | undefined
  const deleted: string[][] = []
  const calls: { pageToken: string }[] = []
  /** Called before each response of catalog. */
  const answering = { run: (_pageToken: string) => {} }
  const catalog = (router: ConnectRouter) =>
    router.service(CatalogService, {
      checkAccess: ({ type }) => ({ type, workspaceId: randomUUID() }),
      listDeletedNodes({ pageToken, types }) {
        calls.push({ pageToken })
        answering.run(pageToken)
        if (!targetTypes.every((type) => types.includes(type)))
          throw invalid('types', 'are incomplete')
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
    peers: catalog,
  })
  assert.ok(ctx)
  const serviceCtx = ctx
  const { db } = serviceCtx
  const client = started.client(CommentsService)
  const query = async <Row>(text: string) => (await sql.raw<Row>(text).execute(db)).rows
  return {
    client,
    deleted,
    calls,
    answering,
    query,
    /** Runs the job as the queue does. */
    run: (signal = new AbortController().signal) => purgeDeleted.run(serviceCtx, {}, signal, 1),
    /** The numbers of rows of a target. */
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
      const request = { targetId, targetType, parentCommentId, content: 'I agree' }
      const { comment } = await client.createComment(request, ann)
      return comment?.id ?? ''
    },
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  }
}

const noRows = { targets: 0, comments: 0, reactions: 0, mentions: 0 }

test('deletes comments with their reactions and mentions once catalog lists the target as deleted', async () => {
  await using at = await startPurging()
  const [kept, ...gone] = [ASSET, ...targetTypes].map((type) => ({ id: randomUUID(), type }))
  assert.ok(kept)
  for (const { id, type } of [kept, ...gone]) {
    const first = await at.write(id, type)
    const reply = await at.write(id, type, first)
    await at.client.createReaction({ commentId: reply, emoji: '👍' }, bob)
    await at.query(`insert into mention (comment_id, username) values ('${first}', 'bob')`)
    // Leaves a placeholder.
    await at.write(id, type, await at.write(id, type, first))
    await at.client.deleteComment({ id: first }, ann)
  }
  await at.query(
    `insert into mention (comment_id, username) select id, 'cyd' from comment where parent_id is not null`,
  )
  const all = await at.rowsOf(kept.id)
  assert.deepEqual(all, { targets: 1, comments: 4, reactions: 1, mentions: 3 })
  // The pages also list targets without comments.
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
    assert.ok(Date.now() < deadline, 'the job did not finish')
  }
  for (const { id } of gone) assert.deepEqual(await at.rowsOf(id), noRows)
  assert.deepEqual(await at.rowsOf(kept.id), all)
  assert.deepEqual(
    at.calls.map(({ pageToken }) => pageToken),
    ['', '1', '2'],
  )
})

test('deletes threads in batches, whatever their timestamps', async () => {
  await using at = await startPurging()
  const targetId = randomUUID()
  // A thread of 20 levels and 1,000 comments; each reply is dated before its parent.
  await at.query(`
    insert into target (id, type) values ('${targetId}', 'figure');
    insert into comment (id, target_id, parent_id, depth, author, content, created_on, updated_on)
    select md5(n::text)::uuid, '${targetId}', case when n > 50 then md5((n - 50)::text)::uuid end,
           (n + 49) / 50, 'ann', 'x', now() - n * interval '1 s', now()
      from generate_series(1, 1000) n`)
  at.deleted.push([targetId])
  await at.run()
  assert.deepEqual(await at.rowsOf(targetId), noRows)
})

test('an interrupted purge resumes at the saved page', async () => {
  await using at = await startPurging()
  const [first, second] = [randomUUID(), randomUUID()]
  for (const id of [first, second]) await at.write(id)
  at.deleted.push([first], [second])
  const stop = new AbortController()
  at.answering.run = (pageToken) => {
    if (pageToken) throw new ConnectError('unavailable', Code.Unavailable)
  }
  await assert.rejects(at.run(), { code: Code.Unavailable })
  assert.deepEqual(await at.rowsOf(first), noRows)
  at.answering.run = () => stop.abort()
  await assert.rejects(at.run(stop.signal))
  assert.equal((await at.rowsOf(second))?.comments, 1)
  // The job fails after deleting the rows and before saving the page token.
  at.answering.run = () => {}
  await at.query(`
    create function fail() returns trigger language plpgsql as $$ begin raise 'crash'; end $$;
    create trigger crash before update on purge_progress for each row execute function fail()`)
  await assert.rejects(at.run(), /crash/)
  assert.deepEqual(await at.rowsOf(second), noRows)
  await at.query('drop trigger crash on purge_progress')
  await at.run()
  // The next run lists only later deletions.
  const third = randomUUID()
  await at.write(third)
  at.deleted.push([third])
  await at.run()
  assert.deepEqual(await at.rowsOf(third), noRows)
  const tokens = at.calls.map(({ pageToken }) => pageToken)
  assert.deepEqual(tokens, ['', '1', '1', '1', '1', '2'])
})
