import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Instance, Lifecycle } from '@figbase/proto/compute'
import { sql } from 'kysely'
import { stopUnentitled } from '../src/periodic/stop-unentitled.js'
import { ann, bob, type Started, start } from './test-service.js'

const hour = 3600
const limit = 600
/** Half of the limit, because the usual time of notice is longer. */
const notice = { COMPUTE_IDLE_WARNING: '5m' }

/** A running instance with an idle limit. */
async function launch(at: Started): Promise<string> {
  const { id } = await at.launch(bob)
  await at.settle()
  await at.compute.updateInstance({ id, idleShutdownSeconds: limit }, bob)
  return id
}

/** Time passes in which instances were measured again and again; with a gap, in which they were not. */
async function pass({ ctx, round }: Started, seconds: number, gap = false) {
  const columns = ['running_since', 'last_activity_on', 'measured_since', 'idle_warned_on']
  const all = [...columns, 'idle_stops_on', ...(gap ? ['heartbeat_on'] : [])]
  const earlier = all.map((name) => `${name} = ${name} - interval '${seconds} s'`)
  await sql.raw(`update instance set ${earlier.join(', ')}`).execute(ctx.db)
  await round()
}

async function read({ compute }: Started, id: string): Promise<Instance> {
  const { instance } = await compute.getInstance({ id }, ann)
  assert.ok(instance)
  return instance
}

async function kindsOf({ compute }: Started, id: string): Promise<string[]> {
  const { events } = await compute.listInstanceEvents({ id }, ann)
  return events.map(({ kind }) => kind).reverse()
}

const idleKindsOf = async (at: Started, id: string) =>
  (await kindsOf(at, id)).filter((kind) => kind.startsWith('idle_'))

test('an idle instance is stopped after a warning, which activity withdraws', async () => {
  await using at = await start({ env: notice })
  const id = await launch(at)
  await pass(at, limit / 2 - 2)
  assert.deepEqual(await idleKindsOf(at, id), [])
  assert.ok(((await read(at, id)).idleSeconds ?? 0n) >= 298n)
  await pass(at, 2)
  await at.round()
  assert.deepEqual(await idleKindsOf(at, id), ['idle_warning'], 'one warning')
  assert.match((await read(at, id)).statusDetail, /^It is idle, and is stopped at 20.* UTC unless/)
  // Also if the clock of the machine is wrong.
  at.machines.measurements.set(id, { lastActivityAt: new Date(Date.now() - hour * 1000) })
  await at.round()
  assert.deepEqual(await idleKindsOf(at, id), ['idle_warning', 'idle_ended'])
  const { statusDetail, idleSeconds } = await read(at, id)
  assert.deepEqual([statusDetail, (idleSeconds ?? 99n) < 5n], ['', true])

  await pass(at, limit / 2)
  await pass(at, limit / 2 - 2)
  assert.equal((await read(at, id)).lifecycle, Lifecycle.RUNNING)
  await pass(at, 2)
  assert.equal((await read(at, id)).lifecycle, Lifecycle.STOPPING)
  await at.settle()
  const stopped = await read(at, id)
  assert.deepEqual(
    [stopped.lifecycle, stopped.statusDetail],
    [Lifecycle.STOPPED, 'It was idle for 10 minutes.'],
  )
  assert.deepEqual((await kindsOf(at, id)).slice(-4), [
    'idle_ended',
    'idle_warning',
    'idle_stop',
    'run_stopped',
  ])
  await at.compute.startInstance({ id }, bob)
  await at.settle()
  assert.equal((await idleKindsOf(at, id)).at(-1), 'idle_stop', 'the new run was not idle yet')
  assert.equal((await read(at, id)).lifecycle, Lifecycle.RUNNING)
})

const busy = {
  'a kernel is busy': { busyKernelCount: 1, cpuPct: 0 },
  'a kernel that Jupyter calls idle uses a processor': { busyKernelCount: 0, cpuPct: 99 },
}
for (const [name, measurement] of Object.entries(busy)) {
  test(`an instance is never idle while ${name}`, async () => {
    await using at = await start({ env: notice })
    const id = await launch(at)
    at.machines.measurements.set(id, measurement)
    for (let hours = 0; hours < 3; hours++) await pass(at, hour)
    assert.deepEqual(await idleKindsOf(at, id), [])
    assert.ok(((await read(at, id)).idleSeconds ?? 99n) < 5n)
    at.machines.measurements.delete(id)
    await pass(at, limit / 2)
    at.machines.measurements.set(id, measurement)
    await pass(at, limit / 2)
    assert.deepEqual(await idleKindsOf(at, id), ['idle_warning', 'idle_ended'])
  })
}

test('an instance that cannot be measured is not stopped, and the time of a gap is not idle', async () => {
  await using at = await start({ env: notice })
  const id = await launch(at)
  at.machines.measurements.set(id, null)
  for (let hours = 0; hours < 3; hours++) await pass(at, hour, true)
  assert.equal((await read(at, id)).userFacingStatus, 'Not responding')
  at.machines.measurements.delete(id)
  await at.round()
  await pass(at, limit / 2 - 2)
  assert.deepEqual(await idleKindsOf(at, id), [])
  await pass(at, 2)
  await pass(at, 2 * hour, true)
  assert.deepEqual(await idleKindsOf(at, id), ['idle_warning', 'idle_ended'])
})

test('an instance whose notebook server does not answer is not stopped: a kernel may be busy', async () => {
  await using at = await start({ env: notice })
  const id = await launch(at)
  const silent = { jupyterUp: false, kernelsAgeMs: hour * 1000 }
  at.machines.measurements.set(id, silent)
  await pass(at, hour)
  assert.deepEqual(await idleKindsOf(at, id), [])
  at.machines.measurements.delete(id)
  await at.round()
  assert.deepEqual(await idleKindsOf(at, id), ['idle_warning'])
  at.machines.measurements.set(id, { ...silent, kernelsAgeMs: 2 * hour * 1000 })
  await pass(at, hour)
  assert.equal((await read(at, id)).lifecycle, Lifecycle.RUNNING)
  at.machines.measurements.delete(id)
  await at.round()
  assert.equal((await read(at, id)).lifecycle, Lifecycle.STOPPING)
})

test('the plan wins over the settings of an instance that was launched before', async () => {
  await using at = await start()
  const id = await launch(at)
  const other = await at.launch(ann)
  await at.settle()
  await at.compute.updateInstance({ id, idleShutdownEnabled: false }, bob)
  await pass(at, hour)
  assert.deepEqual(await idleKindsOf(at, id), [])
  Object.assign(at.peers.terms, { idleShutdownRequired: true, maxIdleSeconds: 60 })
  const check = async () => {
    const before = at.peers.planCalls
    await stopUnentitled.run(at.ctx, new AbortController().signal)
    assert.equal(at.peers.planCalls - before, 1, 'one call for all instances')
  }
  await check()
  for (const one of [await read(at, id), await read(at, other.id)]) {
    assert.deepEqual([one.idleShutdownEnabled, one.idleShutdownSeconds], [true, 60])
  }
  await at.round()
  await pass(at, 30)
  assert.deepEqual(await idleKindsOf(at, id), ['idle_warning', 'idle_stop'])
  at.peers.terms = { computeEnabled: true }
  await check()
  const { idleShutdownEnabled, idleShutdownSeconds } = await read(at, id)
  assert.deepEqual([idleShutdownEnabled, idleShutdownSeconds], [true, 60], 'it has stopped')
  await at.settle()
  await at.compute.startInstance({ id }, bob)
  const again = await read(at, id)
  assert.deepEqual([again.idleShutdownEnabled, again.idleShutdownSeconds], [false, limit])
})

test('changed settings withdraw a warning', async () => {
  await using at = await start({ env: notice })
  const id = await launch(at)
  await pass(at, limit / 2)
  await at.compute.updateInstance({ id, name: 'Winter' }, bob)
  assert.match((await read(at, id)).statusDetail, /^It is idle/)
  await at.compute.updateInstance({ id, idleShutdownSeconds: limit * 2 }, bob)
  await pass(at, limit / 2)
  assert.equal((await read(at, id)).statusDetail, '')
  await at.compute.updateInstance({ id, idleShutdownSeconds: limit }, bob)
  await at.round()
  assert.match((await read(at, id)).statusDetail, /^It is idle/)
  await at.compute.updateInstance({ id, idleShutdownEnabled: false }, bob)
  await pass(at, hour)
  assert.deepEqual(await idleKindsOf(at, id), ['idle_warning', 'idle_warning'])
  assert.equal((await read(at, id)).lifecycle, Lifecycle.RUNNING)
})

test('several reconcilers warn once and stop once', async () => {
  await using at = await start({ env: notice })
  const id = await launch(at)
  const rounds = () => Promise.all([at.round(), at.round(), at.round()])
  await pass(at, limit / 2 - 1)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  await rounds()
  assert.deepEqual(await idleKindsOf(at, id), ['idle_warning'])
  await sql`
    update instance set idle_stops_on = now(), idle_warned_on = idle_warned_on - interval '300 s',
           measured_since = measured_since - interval '300 s'`.execute(at.ctx.db)
  await rounds()
  assert.deepEqual(await idleKindsOf(at, id), ['idle_warning', 'idle_stop'])
  await at.settle()
  assert.equal(at.machines.runs.length, 1)
})
