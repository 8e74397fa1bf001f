import assert from 'node:assert/strict'
import { WebhookDeliveryState } from '@figbase/proto/webhooks'
import { sql } from 'kysely'
import { startHooks, startReceiver } from './hooks.js'
import { ann } from './started.js'

type Load = { objects: number; deliveriesOfEach: number }

/**
 * Two processes send to a receiver that refuses or ignores a third of the requests. Checks that each delivery arrives, that
 * no object gets a later one before an earlier one, and returns the most memory that was in use.
 */
export async function checkOrder({ objects, deliveriesOfEach }: Load): Promise<number> {
  let requests = 0
  const accepted = new Map<string, string[]>()
  await using receiver = await startReceiver((response, { id, json }) => {
    if (requests++ % 3 === 0) return void response.writeHead(requests % 2 === 0 ? 500 : 429).end()
    const data = json.data as { object: { api_id: string } }
    const ids = accepted.get(data.object.api_id) ?? []
    accepted.set(data.object.api_id, [...ids, id])
    response.writeHead(204).end()
  })
  const env = { WEBHOOK_CONCURRENCY_PER_WEBHOOK: '10' }
  await using at = await startHooks(env)
  await using other = await startHooks(env, at.databaseUrl)
  const { webhook } = await at.create({ url: receiver.url, isActive: false })
  other.addNode({ id: webhook.placeId })
  const count = objects * deliveriesOfEach
  await sql`
    insert into webhook_delivery (webhook_id, event, object_id, data)
    select ${webhook.id}, 'figure.updated', o.id, json_build_object('at', now(), 'object',
             json_build_object('id', o.id, 'type', 'figure'))
      from generate_series(1, ${deliveriesOfEach}::int) n,
           (select md5(g::text)::uuid as id from generate_series(1, ${objects}::int) g) o
     order by n`.execute(at.ctx.db)
  const { rows } = await sql<{ object_id: string; ids: string[] }>`
    select object_id, array_agg(id::text order by seq) as ids from webhook_delivery group by object_id`.execute(
    at.ctx.db,
  )
  await at.client.updateWebhook({ id: webhook.id, isActive: true }, ann)
  let memory = 0
  for (let left = count; left > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    memory = Math.max(memory, process.memoryUsage().heapUsed)
    const pending = await sql<{ number: number }>`
      select count(*)::int as number from webhook_delivery where state = 'PENDING'`.execute(
      at.ctx.db,
    )
    left = pending.rows[0]?.number ?? 0
  }
  for (const { object_id, ids } of rows) assert.deepEqual(accepted.get(object_id), ids)
  const [newest] = await at.deliveries(webhook.id)
  assert.equal(newest?.state, WebhookDeliveryState.DELIVERED)
  assert.ok(requests > count)
  return memory
}
