import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import type { JsonObject } from '@bufbuild/protobuf'
import { type CallOptions, Code, ConnectError, type ConnectRouter } from '@connectrpc/connect'
import { eventOf } from '@figbase/kit/events'
import { newOrderedId } from '@figbase/kit/ids'
import { actAs, user } from '@figbase/kit/rpc'
import { userWithKey } from '@figbase/kit/testing'
import { CatalogService, NodeType } from '@figbase/proto/catalog'
import { CommentAction, CommentChangedSchema } from '@figbase/proto/comments/events'
import { InstanceChangedSchema } from '@figbase/proto/compute/events'
import { type FollowEventsResponse, TaskStatus } from '@figbase/proto/tasks'
import { sql } from 'kysely'
import { liveEvents } from '../src/consumers/live-events.js'
import { removeOldEvents } from '../src/periodic/remove-old-events.js'
import { nobody, type Started, start, system } from './support/started.js'

/** The users who may view each node, for the catalog stand-in. */
const views = new Map<string, Set<string>>()

const catalog = (router: ConnectRouter) =>
  router.service(CatalogService, {
    listViewers: ({ nodeIds, usernames }) => ({
      nodes: nodeIds.map((nodeId) => ({
        nodeId,
        usernames: usernames.filter((name) => views.get(nodeId)?.has(name)),
      })),
    }),
    // The stand-in does not know the caller, so it returns all nodes; each event is checked.
    listNodes: () => ({ nodes: [...views.keys()].map((id) => ({ id })) }),
  })

type Following = {
  seen: FollowEventsResponse[]
  until(count: number): Promise<void>
  /** Resolves to the error, or undefined, when the stream has ended. */
  ended: Promise<unknown>
  end(): Promise<unknown>
}

function follow(at: Started, as: CallOptions, after = '', pastMs = 0): Following {
  const hangUp = new AbortController()
  const seen: FollowEventsResponse[] = []
  let wake = () => {}
  const read = async () => {
    try {
      const request = { after, pastMs }
      for await (const one of at.client.followEvents(request, { ...as, signal: hangUp.signal })) {
        seen.push(one)
        wake()
      }
      return undefined
    } catch (error) {
      return error
    } finally {
      wake()
    }
  }
  const ended = read()
  return {
    seen,
    ended,
    async until(count) {
      while (seen.length < count) {
        const next = new Promise<string>((resolve) => {
          wake = () => resolve('woken')
        })
        const timedOut = new Promise<string>((resolve) =>
          setTimeout(resolve, 8000, 'timeout').unref(),
        )
        if ((await Promise.race([next, timedOut])) === 'timeout') {
          throw new Error(`timed out: received ${seen.length} of ${count} events`)
        }
      }
    },
    end() {
      hangUp.abort()
      return ended
    },
  }
}

const namesOf = ({ seen }: Following) =>
  seen.flatMap(({ event }) => (event.case === 'activity' ? [event.value.change?.name ?? ''] : []))

/** Writes a row like the consumer does for an event. */
async function writeRow({ ctx }: Started, row: unknown) {
  const entries = { days: ['2026-11-22'], ids: [newOrderedId()], keys: [''] }
  const values = { ...entries, consumer: liveEvents.name, rows: [JSON.stringify(row)] }
  await ctx.write((db) => liveEvents.writeFresh(db, values))
  liveEvents.onWritten(ctx, false)
}

/** Publishes an activity of a workspace. */
function publish(at: Started, workspaceId: string, name: string, objectId: string | null = null) {
  const nodeId = randomUUID()
  const change = { nodeId, action: 'NODE_ACTION_CREATE', type: 'NODE_TYPE_FIGURE', name }
  const message = { activity: { id: randomUUID(), actor: 'ann', change } }
  return writeRow(at, { live: { workspaceId, objectId, message } })
}

const when = '2026-11-22T08:00:00.123456Z'

/** Writes a row for an event of another service, caused by bob. */
async function receive(at: Started, { name }: { name: string }, payload: JsonObject) {
  const handler = liveEvents.handlers.find(({ event }) => event.name === name)
  assert.ok(handler)
  const event = { id: newOrderedId(), name, key: '', actor: 'bob', requestId: '', payload }
  await writeRow(at, handler.rowOf({ ...event, at: when }))
}

/** Publishes a change of a comment; returns the id of the comment. */
async function comment(at: Started, change: Record<string, string>) {
  const commentId = randomUUID()
  const payload = { targetType: 'NODE_TYPE_FIGURE', commentId, at: when, ...change }
  await receive(at, eventOf(CommentChangedSchema), payload)
  return commentId
}

let at: Started
let workspace: string
let ann: CallOptions
let name: string
before(async () => {
  at = await start('http2', {}, { peers: catalog })
})
beforeEach(() => {
  name = `ann${randomUUID()}`
  ann = actAs(user(name))
  workspace = randomUUID()
  views.set(workspace, new Set([name]))
})
after(() => at[Symbol.asyncDispose]())

test('a key for a workspace receives its events only, live and after resuming', async () => {
  const elsewhere = randomUUID()
  views.set(elsewhere, new Set([name]))
  const key = actAs(userWithKey(name, workspace))
  const following = follow(at, key)
  const free = follow(at, actAs(userWithKey(name)))
  await Promise.all([following.until(1), free.until(1)])
  await at.client.startTask({ id: randomUUID(), name: 'Import', type: 'import' }, ann)
  await publish(at, elsewhere, 'elsewhere')
  await publish(at, workspace, 'here')
  await free.until(4)
  assert.deepEqual(namesOf(free), ['elsewhere', 'here'])
  await following.until(2)
  assert.deepEqual(namesOf(following), ['here'])
  const back = follow(at, key, following.seen[0]?.id)
  await publish(at, workspace, 'later')
  await back.until(3)
  assert.deepEqual(namesOf(back), ['here', 'later'])
  await Promise.all([following, free, back].map((one) => one.end()))
})

test('events of the past are sent first, if asked for', async () => {
  await publish(at, workspace, 'before')
  const [past, later] = [follow(at, ann, '', 60_000), follow(at, ann)]
  await Promise.all([past.until(2), later.until(1)])
  await publish(at, workspace, 'after')
  await Promise.all([past.until(3), later.until(2)])
  assert.deepEqual([namesOf(past), namesOf(later)], [['before', 'after'], ['after']])
  // A page that is older than the events are kept.
  const tooLate = follow(at, ann, '', 2 ** 32 - 1)
  await tooLate.until(1)
  const { event } = tooLate.seen[0] ?? {}
  assert.equal(event?.case === 'begun' && event.value.hasGap, true)
  for (const one of [past, later, tooLate]) await one.end()
})

test('a key for a workspace cannot access tasks', async () => {
  const id = randomUUID()
  await at.client.startTask({ id, name: 'Import', type: 'import' }, ann)
  const key = actAs(userWithKey(name, workspace))
  const { client } = at
  for (const call of [
    client.listTasks({}, key),
    client.getTask({ id }, key),
    client.listTaskLogs({ id }, key),
    client.cancelTask({ id }, key),
  ]) {
    await assert.rejects(call, { code: Code.PermissionDenied })
  }
  const { task } = await client.getTask({ id }, actAs(userWithKey(name)))
  assert.equal(task?.status, TaskStatus.PENDING)
})

test('the owner receives changes of a task, and its newest state after resuming', async () => {
  const following = follow(at, ann)
  const bystander = follow(at, actAs(user('bob')))
  await Promise.all([following.until(1), bystander.until(1)])
  const id = randomUUID()
  await at.client.startTask({ id, name: 'Import', type: 'import' }, ann)
  await following.until(2)
  await at.client.reportTask({ id, logs: [{ line: 'not published' }] }, system)
  await at.client.reportTask({ id, progressPercent: 40, statusMessage: 'reading' }, system)
  await following.until(3)
  await at.client.cancelTask({ id }, ann)
  await following.until(4)
  const received = following.seen.slice(1).map(({ event }) => {
    assert.ok(event.case === 'task' && event.value.task)
    const { status, progressPercent, statusMessage, name } = event.value.task
    return [TaskStatus[status], progressPercent, statusMessage, name]
  })
  assert.deepEqual(received, [
    ['PENDING', 0, '', 'Import'],
    ['PENDING', 40, 'reading', 'Import'],
    ['REVOKED', 40, 'reading', 'Import'],
  ])
  const back = follow(at, ann, following.seen[0]?.id)
  await back.until(2)
  assert.deepEqual(back.seen[1], following.seen[3])
  assert.equal(bystander.seen.length, 1)
  for (const one of [following, back, bystander]) await one.end()
  assert.equal(back.seen.length, 2)
})

test('permissions are checked for each event, also after resuming', async () => {
  const object = randomUUID()
  views.set(object, new Set([name]))
  const following = follow(at, ann)
  await following.until(1)
  await publish(at, workspace, 'seen')
  await publish(at, workspace, 'seen too', object)
  await following.until(3)
  views.get(object)?.delete(name)
  await publish(at, workspace, 'hidden', object)
  await publish(at, workspace, 'seen again')
  await following.until(4)
  const member = follow(at, actAs(user('member')))
  await member.until(1)
  views.set(workspace, new Set(['member']))
  await publish(at, workspace, 'lost')
  await member.until(2)
  views.get(workspace)?.add(name)
  await publish(at, workspace, 'granted')
  await following.until(5)
  assert.deepEqual(namesOf(following), ['seen', 'seen too', 'seen again', 'granted'])
  const back = follow(at, ann, following.seen[0]?.id)
  await back.until(5)
  // The lost event may be read by now.
  assert.deepEqual(namesOf(back), ['seen', 'seen again', 'lost', 'granted'])
  for (const one of [following, back, member]) await one.end()
})

test('comments are sent to users who may view the workspace and the target', async () => {
  const target = randomUUID()
  const shared = `bob${randomUUID()}`
  views.set(target, new Set([name, shared]))
  const [mine, theirs] = [follow(at, ann), follow(at, actAs(user(shared)))]
  await Promise.all([mine.until(1), theirs.until(1)])
  const said = { workspaceId: workspace, targetId: target }
  const first = await comment(at, { ...said, action: 'COMMENT_ACTION_CREATE' })
  await mine.until(2)
  const answer = { ...said, parentCommentId: first, action: 'COMMENT_ACTION_DELETE' }
  const second = await comment(at, answer)
  await mine.until(3)
  views.get(target)?.delete(name)
  await comment(at, { ...said, action: 'COMMENT_ACTION_UPDATE' })
  // When this event arrives, the feed has also processed the previous one.
  await publish(at, workspace, 'mark')
  await mine.until(4)
  views.set(workspace, new Set([name, shared]))
  const last = await comment(at, { ...said, action: 'COMMENT_ACTION_UPDATE' })
  await theirs.until(2)
  const received = ({ seen }: Following) =>
    seen.flatMap(({ event }) => {
      if (event.case !== 'comment') return []
      const { actor, change } = event.value
      assert.ok(change)
      assert.deepEqual([change.targetId, change.workspaceId], [target, workspace])
      assert.deepEqual([change.targetType, change.at?.nanos], [NodeType.FIGURE, 123_456_000])
      return [[actor, change.commentId, CommentAction[change.action], change.parentCommentId]]
    })
  assert.deepEqual(received(mine), [
    ['bob', first, 'CREATE', ''],
    ['bob', second, 'DELETE', first],
  ])
  assert.deepEqual(received(theirs), [['bob', last, 'UPDATE', '']])
  for (const one of [mine, theirs]) await one.end()
})

test('events of compute instances are sent to users who may view the workspace', async () => {
  const member = `bob${randomUUID()}`
  const [mine, theirs] = [follow(at, ann), follow(at, actAs(user(member)))]
  await Promise.all([mine.until(1), theirs.until(1)])
  const instance = { instanceId: randomUUID(), workspaceId: workspace, name: 'Spring', at: when }
  const change = (kind: string) =>
    receive(at, eventOf(InstanceChangedSchema), {
      ...instance,
      kind,
      lifecycle: 'LIFECYCLE_RUNNING',
    })
  await change('run_running')
  await mine.until(2)
  views.get(workspace)?.add(member)
  await change('idle_warning')
  await Promise.all([mine.until(3), theirs.until(2)])
  const received = ({ seen }: Following) =>
    seen.flatMap(({ event }) => {
      if (event.case !== 'instance') return []
      const { actor, change } = event.value
      assert.deepEqual([actor, change?.workspaceId, change?.name], ['bob', workspace, 'Spring'])
      return change?.kind
    })
  assert.deepEqual(received(mine), ['run_running', 'idle_warning'])
  assert.deepEqual(received(theirs), ['idle_warning'])
  for (const one of [mine, theirs]) await one.end()
})

test('a retried event is sent', async () => {
  const following = follow(at, ann)
  await following.until(1)
  const message = { activity: { id: randomUUID(), actor: 'ann', change: { name: 'timeout' } } }
  const row = { live: { workspaceId: workspace, objectId: null, message } }
  await at.ctx.transact((tx) => liveEvents.write(tx, [null, JSON.stringify(row)]))
  liveEvents.onWritten(at.ctx, false)
  await following.until(2)
  assert.deepEqual(namesOf(following), ['timeout'])
  await following.end()
})

test('events reach followers in another process', async () => {
  const { databaseUrl } = at
  await using other = await start('http2', {}, { peers: catalog, databaseUrl })
  const here = follow(at, ann)
  const there = follow(other, ann)
  await Promise.all([here.until(1), there.until(1)])
  await Promise.all(
    Array.from({ length: 60 }, (_, n) => publish(n % 2 ? at : other, workspace, `${n}`)),
  )
  await Promise.all([here.until(61), there.until(61)])
  assert.deepEqual(namesOf(here), namesOf(there))
  assert.equal(new Set(namesOf(here)).size, 60)
  // A stream can be resumed in the other process.
  const on = follow(other, ann, here.seen[30]?.id)
  await on.until(31)
  assert.deepEqual(namesOf(on), namesOf(here).slice(30))
  for (const one of [here, there, on]) await one.end()
})

test('a slow reader receives all events', async () => {
  const reading = at.client.followEvents({}, ann)[Symbol.asyncIterator]()
  await reading.next()
  const count = 2500
  await sql`insert into live_event (workspace_id, message)
    select ${workspace}, json_build_object('activity', json_build_object('id', n::text))
      from generate_series(1, ${count}) n order by n`.execute(at.ctx.db)
  at.ctx.announceLive()
  // The feed has read past all of them before the second event is taken.
  const quick = follow(at, ann)
  await quick.until(1)
  await publish(at, workspace, 'last')
  await quick.until(2)
  const ids: string[] = []
  while (ids.length < count) {
    const { value } = await reading.next()
    if (value?.event.case === 'activity') ids.push(value.event.value.id)
  }
  assert.deepEqual(
    ids,
    Array.from({ length: count }, (_, n) => `${n + 1}`),
  )
  await reading.return?.()
  await quick.end()
})

test('streams end when the service stops, and can be resumed elsewhere', async () => {
  const { databaseUrl } = at
  const other = await start('http2', {}, { peers: catalog, databaseUrl })
  const there = follow(other, ann)
  await there.until(1)
  const began = Date.now()
  await other[Symbol.asyncDispose]()
  await there.ended
  assert.ok(Date.now() - began < 5000, `it took ${Date.now() - began} ms`)
  await publish(at, workspace, 'meanwhile')
  const here = follow(at, ann, there.seen[0]?.id)
  await here.until(2)
  assert.deepEqual(namesOf(here), ['meanwhile'])
  await here.end()
})

test('old events are removed, and a resumed stream reports the gap', async () => {
  const following = follow(at, ann)
  await following.until(1)
  await publish(at, workspace, 'old')
  await following.until(2)
  await sql`update live_event set at = now() - interval '25 hours'`.execute(at.ctx.db)
  await removeOldEvents.run(at.ctx, new AbortController().signal)
  await publish(at, workspace, 'new')
  await following.until(3)
  const [id] = following.seen[0]?.id.split('-') ?? []
  const back = follow(at, ann, `${id}-${Date.now() - 25 * 3_600_000}`)
  await back.until(2)
  assert.deepEqual(namesOf(back), ['new'])
  assert.deepEqual(
    [following, back].map(
      ({ seen: [first] }) =>
        first?.event.value && 'hasGap' in first.event.value && first.event.value.hasGap,
    ),
    [false, true],
  )
  for (const one of [following, back]) await one.end()
})

test('rejects anonymous callers and invalid cursors', async () => {
  const refusals = [await follow(at, nobody).ended, await follow(at, ann, 'soon').ended]
  assert.deepEqual(
    refusals.map((error) => (error instanceof ConnectError ? error.code : error)),
    [Code.Unauthenticated, Code.InvalidArgument],
  )
})
