import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { assertUses, plansOf as plansIn } from '@figbase/kit/testing'
import { sql } from 'kysely'
import type { Tx } from '../src/db/schema.js'
import { statuses } from '../src/domain/status.js'
import {
  deleteOldEvents,
  listLater,
  listLaterFor,
  newestIdBefore,
} from '../src/queries/live-events.js'
import { listLogs, trimLogs } from '../src/queries/logs.js'
import { deleteFinished, listOwn, listRevokedOf } from '../src/queries/tasks.js'
import { type Started, start } from './support/started.js'

let at: Started
before(async () => {
  at = await start('local')
  const { db } = at.ctx
  // 20 users with 1,000 tasks each, one in 50 running; some with logs.
  await sql`
    insert into task (id, owner, name, type, status, created_on, completed_on)
    select gen_random_uuid(), 'user' || g % 20, 'x', 'x',
           case when g % 50 = 0 then 'STARTED' else 'SUCCESS' end, now() - interval '1 min' * g,
           case when g % 50 = 0 then null else now() - interval '1 min' * g end
      from generate_series(1, 20000) as g`.execute(db)
  await sql`
    insert into task_log (task_id, at, line)
    select id, now(), 'x' from (select id from task limit 200) as t, generate_series(1, 100)`.execute(
    db,
  )
  // Events of the tasks of 20 users, and of 50 workspaces.
  await sql`
    insert into live_event (owner, workspace_id, message, at)
    select case when g % 2 = 0 then 'user' || g % 20 end,
           case when g % 2 = 1 then md5((g % 100)::text)::uuid end, '{}', now() - interval '1 s' * (20000 - g)
      from generate_series(1, 20000) as g`.execute(db)
  await sql`analyze`.execute(db)
})
after(() => at[Symbol.asyncDispose]())

const plansOf = (run: (tx: Tx) => Promise<unknown>, text: RegExp, values: string[]) =>
  plansIn(at.ctx.transact, run, text, values)

const none = { createdFrom: null, createdTo: null, completedFrom: null, completedTo: null }
const words = `'{${statuses.join(',')}}'`

test("a page of a user's tasks uses the owner index", async () => {
  const first = (tx: Tx) => listOwn(tx, 'user1', { ...none, statuses }, 101)
  const values = [words, "'user1'", ...Array<string>(6).fill('null'), '101']
  assertUses(await plansOf(first, /unnest\(\$1::text\[\]\) as s/, values), ['task_owner_idx'])
  assert.equal((await listOwn(at.ctx.db, 'user1', { ...none, statuses }, 101)).length, 101)
})

test('logs, revocations and old tasks use their indexes', async () => {
  const [row] = await at.ctx.db.selectFrom('task_log').select('task_id').limit(1).execute()
  assert.ok(row)
  const id = row.task_id
  const log = await plansOf((tx) => listLogs(tx, id, 10), /from task_log l\s+where/, [
    `'${id}'`,
    '0',
    '10',
  ])
  assertUses(log, ['task_log_pkey'])
  const limits = { linesMax: 1000, bytesMax: 100_000, dropped: 0 }
  const trim = await plansOf((tx) => trimLogs(tx, id, limits), /with sized as/, [
    `'${id}'`,
    '1000',
    '100000',
    '0',
  ])
  assertUses(trim, ['task_log_pkey'])
  const ids = [newId()]
  const revoked = await plansOf((tx) => listRevokedOf(tx, ids), /status = 'REVOKED'$/, [
    `'{${ids.join(',')}}'`,
  ])
  assertUses(revoked, ['task_pkey'])
  const month = 30 * 86_400_000
  const old = await plansOf(
    (tx) => deleteFinished(tx, month, 100),
    /^[^;]*delete from task where/,
    [String(month), '100'],
  )
  assertUses(old, ['task_completed_idx'])
})

test('live events use their indexes when followed, resumed and removed', async () => {
  const on = await plansOf((tx) => listLater(tx, 19_900n, 100), /where e.id > \$1/, [
    '19900',
    '100',
  ])
  assertUses(on, ['live_event_pkey'])
  const { rows } = await sql<{ id: string }>`
    select distinct workspace_id as id from live_event where workspace_id is not null
     limit 20`.execute(at.ctx.db)
  const workspaceIds = rows.map((row) => row.id)
  const scope = { username: 'user2', workspaceIds }
  const missed = (tx: Tx) => listLaterFor(tx, scope, 100n, 19_900n, 200)
  const values = ["'user2'", '100', '19900', '200', `'{${workspaceIds.join(',')}}'`]
  assertUses(await plansOf(missed, /from live_event o/, values), [
    'live_event_owner_idx',
    'live_event_workspace_idx',
  ])
  assert.equal((await listLaterFor(at.ctx.db, scope, 100n, 19_900n, 200)).length, 200)
  const past = await plansOf((tx) => newestIdBefore(tx, 60_000), /order by at desc limit 1/, [
    '60000',
  ])
  assertUses(past, ['live_event_at_idx'])
  const old = await plansOf((tx) => deleteOldEvents(tx, 1000, 10), /delete from live_event/, [
    '1000',
    '10',
  ])
  assertUses(old, ['live_event_at_idx', 'live_event_pkey'])
})
