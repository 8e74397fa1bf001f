import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { keysFrom, seal } from '@figbase/kit/keys'
import { sql } from 'kysely'
import { webhookSecretPurpose } from '../src/webhooks/sealed-secrets.js'
import { startReceiver } from './support/hooks.js'
import { secret, startProcesses, until } from './support/processes.js'

const objects = 10
const deliveriesOfEach = 6
/** The process is killed at these requests: before the receiver answers, and right after. */
const killsBefore = [3, 14, 25]
const killsAfter = [8, 19, 30]

test('no delivery is lost, and each object gets its deliveries in order, when the process is killed between a claim and its record', async () => {
  await using at = await startProcesses({
    OUTBOUND_HOSTS_ALLOWED: '127.0.0.1',
    WEBHOOK_TIMEOUT: '1s',
  })
  const { db } = at
  let requests = 0
  let restarted = Promise.resolve()
  const restart = () => {
    restarted = at.killTasks().then(at.startTasks)
    return restarted
  }
  const arrived = new Map<string, string[]>()
  await using receiver = await startReceiver(async (response, { id, json }) => {
    const request = ++requests
    if (killsBefore.includes(request)) return restart()
    const { object } = json.data as { object: { api_id: string } }
    arrived.set(object.api_id, [...(arrived.get(object.api_id) ?? []), id])
    response.writeHead(204).end()
    if (killsAfter.includes(request)) await restart()
  })
  const webhookId = randomUUID()
  const ring = keysFrom(secret).derive(webhookSecretPurpose)
  const sealed = seal(ring, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', webhookId)
  await sql`
    insert into tasks.webhook (id, workspace_id, url, secret_sealed, events, object_ids, format, payload, is_active, created_by)
    values (${webhookId}, gen_random_uuid(), ${receiver.url}, ${sealed}, '{*}', '{}', 'json', 'thin', true, 'ann')`.execute(
    db,
  )
  await sql`
    insert into tasks.webhook_delivery (webhook_id, event, object_id, data)
    select ${webhookId}, 'figure.updated', o.id, json_build_object('at', now(), 'object',
             json_build_object('id', o.id, 'type', 'figure'))
      from generate_series(1, ${deliveriesOfEach}::int) n,
           (select md5(g::text)::uuid as id from generate_series(1, ${objects}::int) g) o
     order by n`.execute(db)
  await sql`insert into tasks.webhook_queue (webhook_id, object_id)
    select distinct webhook_id, object_id from tasks.webhook_delivery`.execute(db)
  await until(async () => {
    const { rows } = await sql<{ pending: number }>`
      select count(*)::int as pending from tasks.webhook_delivery where state = 'PENDING'`.execute(
      db,
    )
    return rows[0]?.pending === 0
  })
  await restarted
  const { rows } = await sql<{ object_id: string; ids: string[]; states: string[] }>`
    select object_id, array_agg(id::text order by seq) as ids, array_agg(distinct state) as states
      from tasks.webhook_delivery group by object_id`.execute(db)
  for (const { object_id, ids, states } of rows) {
    assert.deepEqual(states, ['DELIVERED'])
    const received = arrived.get(object_id) ?? []
    // A delivery may arrive again, but not after a later one.
    const withoutRepeats = received.filter((id, i) => id !== received[i - 1])
    assert.deepEqual(withoutRepeats, ids)
  }
  assert.ok(requests >= objects * deliveriesOfEach + killsBefore.length)
})
