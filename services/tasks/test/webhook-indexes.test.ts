import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertUses, plansOf as plansIn } from '@figbase/kit/testing'
import { sql } from 'kysely'
import type { Tx } from '../src/db/schema.js'
import {
  claimDeliveries,
  deleteOldDeliveries,
  listDeliveries,
  nextDueInMs,
} from '../src/queries/deliveries.js'
import { listWebhooks } from '../src/queries/webhooks.js'
import { type Started, start } from './support/started.js'

let at: Started
before(async () => {
  at = await start('local')
  const { db } = at.ctx
  await at.ctx.sender[Symbol.asyncDispose]()
  // 2,000 webhooks of 1,000 workspaces; one of them has 20,000 objects to send, each of the others 5.
  await sql`
    insert into webhook (id, workspace_id, url, secret_sealed, events, object_ids, format, payload, is_active, created_by)
    select md5('hook' || g)::uuid, md5((g % 1000)::text)::uuid, 'https://x.org', '', '{*}', '{}', 'json', 'thin', true, 'ann'
      from generate_series(1, 2000) g`.execute(db)
  await sql`
    insert into webhook_delivery (webhook_id, event, object_id, data, created_on)
    select md5('hook' || h)::uuid, 'figure.updated', md5(h || '-' || g)::uuid, '{}', now() - interval '1 s' * g
      from generate_series(1, 2000) h, generate_series(1, case when h = 1 then 20000 else 5 end) g`.execute(
    db,
  )
  await sql`insert into webhook_queue (webhook_id, object_id) select webhook_id, object_id from webhook_delivery`.execute(
    db,
  )
  await sql`analyze`.execute(db)
})
after(() => at[Symbol.asyncDispose]())

const plansOf = (
  run: (tx: Tx) => Promise<unknown>,
  text: RegExp,
  values: Record<string, string> | string[],
) => plansIn(at.ctx.transact, run, text, values)

test('claiming takes some of each webhook, by the indexes', async () => {
  const limits = { slots: 10_000, perWebhook: 4, leaseMs: 20_000 }
  const claimed = await at.ctx.transact((tx) => claimDeliveries(tx, { ...limits, running: {} }))
  assert.equal(claimed.length, 8000)
  assert.ok(claimed.every(({ delivery_id }) => delivery_id !== null))
  const claim = (tx: Tx) =>
    claimDeliveries(tx, { slots: 10, perWebhook: 4, leaseMs: 1, running: {} })
  const values = { slots: '10', perWebhook: '4', leaseMs: '1', running: `'{}'` }
  const plans = await plansOf(claim, /with recursive hook/, values)
  for (const plan of plans) {
    for (const index of [
      'webhook_queue_due_idx',
      'webhook_queue_id_key',
      'webhook_delivery_pending_idx',
    ])
      assert.match(plan, new RegExp(`using ${index}\\b`), plan)
    assert.doesNotMatch(plan, /Seq Scan on webhook_(queue|delivery)/, plan)
  }
  assertUses(await plansOf(nextDueInMs, /min\(q\.due_on\)/, []), ['webhook_queue_next_idx'])
})

test('lists and removal use their indexes', async () => {
  const { rows } = await sql<{ id: string; workspace_id: string }>`
    select id, workspace_id from webhook limit 1`.execute(at.ctx.db)
  const { id = '', workspace_id = '' } = rows[0] ?? {}
  const page = (tx: Tx) => listDeliveries(tx, id, 10)
  const first = { webhookId: `'${id}'`, limit: '10' }
  const plans = await plansOf(page, /from webhook_delivery d\s+where d.webhook_id/, first)
  assertUses(plans, ['webhook_delivery_list_idx'])
  const ofPlace = (tx: Tx) => listWebhooks(tx, workspace_id, 10)
  assertUses(await plansOf(ofPlace, /order by w.seq limit/, [`'${workspace_id}'`, '10']), [
    'webhook_workspace_idx',
  ])
  const old = (tx: Tx) => deleteOldDeliveries(tx, 1000, 10)
  assertUses(await plansOf(old, /delete from webhook_delivery/, ['1000', '10']), [
    'webhook_delivery_created_idx',
    'webhook_delivery_pkey',
  ])
})
