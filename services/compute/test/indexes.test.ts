import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertUses, plansOf as plansIn } from '@figbase/kit/testing'
import { parsePeriod } from '@figbase/kit/text'
import { sql } from 'kysely'
import type { Tx } from '../src/db/schema.js'
import { changeInstance } from '../src/queries/change.js'
import { listRunning, setPlanIdle } from '../src/queries/entitlement.js'
import { findHeartbeat, saveHeartbeats } from '../src/queries/heartbeats.js'
import { listEvents } from '../src/queries/instance-events.js'
import {
  countInstances,
  countRunning,
  findInstance,
  listInstances,
  listInstancesOf,
  lockInstance,
} from '../src/queries/instances.js'
import { listOpenable } from '../src/queries/openable.js'
import {
  deletePurged,
  listOfOwners,
  listOwners,
  listToPurge,
  markPurged,
} from '../src/queries/purge.js'
import { listActive, listByIds, setKeys } from '../src/queries/reconciling.js'
import {
  recordRuns,
  sumByHolder,
  sumByInstance,
  sumByMonth,
  sumByTier,
  type UsageOf,
} from '../src/queries/runs.js'
import { useAddress } from '../src/queries/used-addresses.js'
import { sumVolumes } from '../src/queries/volumes.js'
import { type Started, start } from './test-service.js'

const id = '00000000-0000-4000-8000-000000000001'
const workspaceId = '00000000-0000-4000-9000-000000000001'
const quoted = `'${id}'`

let at: Started
before(async () => {
  at = await start()
  const { db } = at.ctx
  // 5000 instances in 500 workspaces: 50 are running, half are terminated; four runs and events of each.
  await sql`
    insert into instance (id, workspace_id, holder_id, owner, name, tier, data_volume_gb, desired, observed, run_id,
                          idle_shutdown_enabled, idle_shutdown_seconds)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, w, w, 'ann', 'a', 'small', 10,
           case when n % 100 = 0 then 'running' when n / 500 % 2 = 0 then 'stopped' else 'terminated' end,
           case when n % 100 = 0 then 'running' when n / 500 % 2 = 0 then 'stopped' else 'gone' end,
           gen_random_uuid(), true, 3600
      from generate_series(1, 5000) n,
           lateral (select ('00000000-0000-4000-9000-' || lpad((1 + n % 500)::text, 12, '0'))::uuid as w)`.execute(
    db,
  )
  await sql`
    insert into instance_event (instance_id, kind, lifecycle, detail, actor)
    select id, 'start', 'pending', '', 'ann' from instance, generate_series(1, 4)`.execute(db)
  await sql`
    insert into run (id, started_on, instance_id, workspace_id, holder_id, tier, ran_ms, ended_on, has_ended)
    select gen_random_uuid(), s, id, workspace_id, holder_id, tier, 1000, s + interval '1 s', true
      from instance, generate_series(1, 4) m, lateral (select now() - m * interval '40 days' as s)`.execute(
    db,
  )
  await sql`analyze`.execute(db)
})
after(() => at[Symbol.asyncDispose]())

const plansOf = (
  run: (tx: Tx) => Promise<unknown>,
  text: RegExp,
  values: string[] | Record<string, string>,
) => plansIn(at.ctx.transact, run, text, values)

const cursor = { createdOn: '2020-01-01 00:00:00+00', seq: '5' }
const cursorValues = { createdOn: `'${cursor.createdOn}'`, seq: '5', limit: '10' }
const key = ['instance_pkey']

test('an instance is found, locked and changed by its key', async () => {
  assertUses(await plansOf((tx) => findInstance(tx, id), /where i\.id = \$1/, [quoted]), key)
  assertUses(await plansOf((tx) => lockInstance(tx, id), /for no key/, [quoted]), key)
  const heartbeat = await plansOf((tx) => findHeartbeat(tx, id), /heartbeat is not null/, [quoted])
  assertUses(heartbeat, key)
  const change = async (tx: Tx) => {
    const row = await findInstance(tx, id)
    if (!row) throw new Error('no instance')
    await changeInstance(tx, row, { name: 'b' }, { kind: 'update', text: '', actor: 'ann' })
  }
  const values = { id: quoted, version: '1', desired: "'stopped'", observed: "'stopped'" }
  assertUses(await plansOf(change, /update instance\s+set holder_id/, values), key)
  const keys = { secretsSealed: Buffer.alloc(0), apiKeyId: null, oldApiKeyId: null }
  const set = await plansOf((tx) => setKeys(tx, { id, version: 1 }, keys), /set secrets_sealed/, {
    id: quoted,
    version: '1',
    secretsSealed: "''",
  })
  assertUses(set, key)
})

test('open notebooks are checked by key, and used addresses deleted in the order of their expiry', async () => {
  const open = await plansOf((tx) => listOpenable(tx, [id]), /address <> ''/, [`'{${id}}'`])
  assertUses(open, ['instance_active_idx'])
  const { db } = at.ctx
  await sql`
    insert into used_address (id, expires_on)
    select gen_random_uuid(), now() + n * interval '1 s' from generate_series(1, 5000) n`.execute(
    db,
  )
  await sql`analyze used_address`.execute(db)
  const used = await plansOf((tx) => useAddress(tx, id, new Date()), /insert into used_address/, {
    id: quoted,
    expiresOn: "'2030-01-01'",
  })
  assertUses(used, ['used_address_expires_idx'])
})

test('lists of a workspace and counts use indexes', async () => {
  const list = (tx: Tx) => listInstances(tx, workspaceId, 10, cursor)
  const values = { ...cursorValues, id: `'${workspaceId}'` }
  assertUses(await plansOf(list, /order by i\.created_on desc/, values), ['instance_workspace_idx'])
  const count = await plansOf(
    (tx) => countInstances(tx, workspaceId),
    /as terminated\s+from instance where workspace_id/,
    [`'${workspaceId}'`],
  )
  assertUses(count, ['instance_kept_idx'])
  const own = (tx: Tx) => listInstancesOf(tx, 'eve', 10, cursor)
  const ofEve = { ...cursorValues, id: "'eve'" }
  assertUses(await plansOf(own, /where i\.owner = /, ofEve), ['instance_of_owner_idx'])
  const running = await plansOf(
    (tx) => countRunning(tx, workspaceId),
    /count\(\*\)::int as count from instance where holder_id/,
    [`'${workspaceId}'`],
  )
  assertUses(running, ['instance_holder_idx'])
  const events = (tx: Tx) => listEvents(tx, id, 10, cursor)
  assertUses(
    await plansOf(events, /from instance_event\s+where/, { ...cursorValues, instanceId: quoted }),
    ['instance_event_instance_idx'],
  )
})

test('the reconciler reads only what is not at rest', async () => {
  const active = await plansOf((tx) => listActive(tx, id, 100), /order by id limit/, [
    quoted,
    '100',
  ])
  assertUses(active, ['instance_active_idx'])
  const running = await plansOf(
    (tx) => listRunning(tx, id, 100),
    /i\.desired = 'running' and i\.id/,
    [quoted, '100'],
  )
  assertUses(running, ['instance_active_idx'])
  const ids = `'{${id}}'`
  assertUses(await plansOf((tx) => listByIds(tx, [id]), /i\.id = any/, [ids]), key)
  const heartbeats = await plansOf((tx) => saveHeartbeats(tx, [], 1000), /set heartbeat = /, {
    ids,
    runIds: ids,
    heartbeats: '\'{"{}"}\'',
    activities: "'{null}'",
    areWorking: "'{true}'",
    staleMs: '1000',
  })
  assertUses(heartbeats, ['instance_active_idx'])
  const planned = await plansOf(
    (tx) => setPlanIdle(tx, []),
    /set plan_requires_idle_shutdown = p/,
    { ids, required: "'{true}'", secondsMax: "'{1}'" },
  )
  assertUses(planned, key)
  const recorded = await plansOf((tx) => recordRuns(tx, []), /insert into run as r/, {
    ids,
    instanceIds: ids,
    startedOn: "'{2026-01-01}'",
    ranMs: "'{1}'",
    hasEnded: "'{true}'",
  })
  assertUses(recorded, key)
})

test('volumes are counted, and instances purged, by indexes', async () => {
  const workspace = [`'${workspaceId}'`]
  const volumesOf = (column: 'workspace_id' | 'holder_id') =>
    plansOf(
      (tx) => sumVolumes(tx, { column, id: workspaceId }),
      new RegExp(`sum\\(data_volume_gb[^;]*${column} = `),
      workspace,
    )
  assertUses(await volumesOf('workspace_id'), ['instance_kept_idx'])
  assertUses(await volumesOf('holder_id'), ['instance_volume_idx'])
  const workspaces = [`'{${workspaceId}}'`, '100']
  const list = (tx: Tx) => listToPurge(tx, [workspaceId], 100)
  const inWorkspace = ['instance_in_workspace_idx']
  assertUses(await plansOf(list, /not i\.is_purged/, workspaces), inWorkspace)
  const mark = (tx: Tx) => markPurged(tx, [workspaceId])
  assertUses(await plansOf(mark, /set is_purged = true/, workspaces.slice(0, 1)), inWorkspace)
  const remove = (tx: Tx) => deletePurged(tx, 100)
  assertUses(await plansOf(remove, /with gone as materialized/, ['100']), ['instance_purged_idx'])
  const owners = (tx: Tx) => listOwners(tx, '', 10)
  assertUses(await plansOf(owners, /distinct owner/, ["'a'", '10']), ['instance_owner_idx'])
  const owned = (tx: Tx) => listOfOwners(tx, ['eve'], 10)
  assertUses(await plansOf(owned, /i\.owner = any/, ["'{eve}'", '10']), ['instance_owner_idx'])
})

const indexes = {
  instance_id: 'run_instance_idx',
  workspace_id: 'run_workspace_idx',
  holder_id: 'run_holder_idx',
}
for (const [column, index] of Object.entries(indexes)) {
  test(`usage by ${column} uses ${index}`, async () => {
    const of = { column, id: column === 'instance_id' ? id : workspaceId } as UsageOf
    const period = parsePeriod('')
    const textOf = (group: string) => new RegExp(`r\\.${column} = \\$\\d[\\s\\S]*group by ${group}`)
    const values = { id: `'${of.id}'`, from: `'${period.from}'`, to: `'${period.to}'` }
    const tiers = await plansOf((tx) => sumByTier(tx, of, period), textOf('r\\.tier'), values)
    assertUses(tiers, [index])
    const months = await plansOf(
      (tx) => sumByMonth(tx, of, period),
      textOf('local\\.start'),
      values,
    )
    assertUses(months, [index])
    const holders = await plansOf(
      (tx) => sumByHolder(tx, [of.id], period),
      /r\.holder_id = any\(/,
      { ids: `array['${of.id}'::uuid]`, from: values.from, to: values.to },
    )
    assertUses(holders, ['run_holder_idx'])
    const page = { afterId: id, afterTier: '', limit: 10 }
    const instances = await plansOf(
      (tx) => sumByInstance(tx, of, period, page),
      textOf('r\\.instance_id'),
      { ...values, afterId: quoted, afterTier: "''", limit: '10' },
    )
    assertUses(instances, [index])
  })
}

test('usage of an owner uses the indexes of their instances and of the runs', async () => {
  const period = parsePeriod('')
  const plans = await plansOf(
    (tx) => sumByMonth(tx, { column: 'owner', id: 'eve' }, period),
    /i\.owner = \$\d[\s\S]*group by local\.start/,
    { id: "'eve'", from: `'${period.from}'`, to: `'${period.to}'` },
  )
  // All instances here are of one owner, so that those are read without an index.
  for (const plan of plans) assert.match(plan, /run_instance_idx/, plan)
})
