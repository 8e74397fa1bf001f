import { after, before, test } from 'node:test'
import { assertUses, plansOf as plansIn } from '@figbase/kit/testing'
import { sql } from 'kysely'
import type { Tx } from '../src/db/schema.js'
import { findSettings } from '../src/queries/notification-settings.js'
import {
  countMailed,
  deleteNotifications,
  deleteOldNotifications,
  listForDigest,
  listNew,
  markInDigest,
  markMailed,
} from '../src/queries/notifications.js'
import { listOwnByIds } from '../src/queries/tasks.js'
import { type Started, start } from './support/started.js'

let at: Started
const id = '00000000-0000-4000-8000-000000000000'

before(async () => {
  at = await start('local')
  const { db } = at.ctx
  // 1,000 people with 40 notifications each: new ones, ones that wait for a digest, and mailed ones.
  await sql`
    insert into notification (username, kind, actor, object_id, created_on, delivery, mailed_on)
    select 'user' || (g % 1000), 'mention', 'bob', gen_random_uuid(), now() - interval '1 min' * g,
           case g % 4 when 0 then null when 1 then 'DIGEST' else 'AT_ONCE' end,
           case when g % 4 > 1 then now() - interval '1 min' * g end
      from generate_series(1, 40000) g`.execute(db)
  await sql`insert into notification_settings (username) select 'user' || g from generate_series(1, 5000) g`.execute(
    db,
  )
  await sql`
    insert into task (id, owner, name, type) select gen_random_uuid(), 'ann', 'Import', 'import'
      from generate_series(1, 5000)`.execute(db)
  await sql`analyze`.execute(db)
})
after(() => at[Symbol.asyncDispose]())

const uses = async (
  run: (tx: Tx) => Promise<unknown>,
  text: RegExp,
  values: string[],
  indexes: string[],
) => assertUses(await plansIn(at.ctx.transact, run, text, values), indexes)

test('the notifications of a person are read and marked with the indexes', async () => {
  const name = `'user1'`
  const ids = `'{${id}}'`
  await uses(
    (tx) => listNew(tx, 'user1', 10),
    /n\.delivery is null order by/,
    [name, '10'],
    ['notification_new_idx'],
  )
  await uses(
    (tx) => countMailed(tx, 'user1'),
    /count\(\*\)::int as count from notification n/,
    [name],
    ['notification_mailed_idx'],
  )
  await uses(
    (tx) => listForDigest(tx, 'user1', 10),
    /order by n\.seq desc/,
    [name, '10'],
    ['notification_digest_idx'],
  )
  await uses(
    (tx) => markInDigest(tx, 'user1', 1n),
    /with ended as/,
    [name, '1'],
    ['notification_digest_idx'],
  )
  await uses((tx) => markMailed(tx, [id]), /set delivery = 'AT_ONCE'/, [ids], ['notification_pkey'])
  await uses(
    (tx) => deleteNotifications(tx, [id]),
    /delete from notification where id = any\(\$1/,
    [ids],
    ['notification_pkey'],
  )
  await uses(
    (tx) => deleteOldNotifications(tx, 1000, 10),
    /delete from notification where id = any\(array/,
    ['1000', '10'],
    ['notification_created_idx', 'notification_pkey'],
  )
})

test('settings, and the tasks that mails name, are read by their keys', async () => {
  await uses(
    (tx) => findSettings(tx, 'user1'),
    /from notification_settings/,
    [`'user1'`],
    ['notification_settings_pkey'],
  )
  await uses(
    (tx) => listOwnByIds(tx, 'ann', [id]),
    /t\.id = any/,
    [`'{${id}}'`, `'ann'`],
    ['task_pkey'],
  )
})
