import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Lifecycle } from '@figbase/proto/compute'
import { sql } from 'kysely'
import type { Ctx } from '../src/context.js'
import { reconcile } from '../src/reconciler/reconcile.js'
import { createMemoryDriver, Machines } from './memory-driver.js'
import { ann, type Started, start } from './test-service.js'

/**
 * Kills the reconciler before and after each statement, each call of the driver and each call of identity in the life of
 * an instance, one after the other. Another process goes on: the instance gets where it shall be, it never has two runs
 * or two API keys, and its bill is what the machines ran.
 */
const limit = 600
const roundsMax = 25
const { signal } = new AbortController()

let at: Started
let now = Date.now()
before(async () => {
  const machines = new Machines({ now: () => now })
  at = await start({ machines, env: { COMPUTE_IDLE_WARNING: '5m' } })
})
after(() => at[Symbol.asyncDispose]())

/** A process that is killed at its point with this number; 0: it is not. */
class Process {
  points = 0
  isDead = false
  readonly #ctx: Ctx
  readonly #driver: ReturnType<typeof createMemoryDriver>

  constructor(readonly killedAt: number) {
    const db = this.#killable(at.ctx.db, ['executeQuery'])
    const identity = this.#killable(at.ctx.identity, [
      'createApiKey',
      'deleteApiKey',
      'listApiKeys',
    ])
    this.#ctx = { ...at.ctx, db, identity, write: (run) => run(db) }
    const interfere = async () => this.#point()
    this.#driver = createMemoryDriver(at.machines, { interfere })
  }

  /** One round of the reconciler. */
  async round() {
    await reconcile(this.#ctx, this.#driver, signal, true).catch((error: unknown) => {
      if (!this.isDead) throw error
    })
  }

  #point() {
    this.points++
    if (this.points === this.killedAt) this.isDead = true
    if (this.isDead) throw new Error('killed')
  }

  /** The same object, with a point before and after each call of these methods. */
  #killable<T extends object>(target: T, names: string[]): T {
    return new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name, object)
        if (!names.includes(String(name)) || typeof value !== 'function') return value
        return async (...args: unknown[]) => {
          this.#point()
          const result: unknown = await value.apply(object, args)
          this.#point()
          return result
        }
      },
    })
  }
}

/** The whole life of an instance under one process, and under another one after its death. */
async function live(killedAt: number): Promise<number> {
  const mortal = new Process(killedAt)
  const { id } = await at.launch(ann)
  const reaches = async (lifecycle: Lifecycle, meanwhile = async () => {}) => {
    let rounds = 0
    const isThere = async () => {
      const { instance } = await at.compute.getInstance({ id }, ann)
      return instance?.lifecycle === lifecycle && (await isAtRest(id))
    }
    while (!(await isThere())) {
      assert.ok(rounds++ < roundsMax, `it does not get ${Lifecycle[lifecycle]}`)
      now += 1000
      await meanwhile()
      if (!mortal.isDead) await mortal.round()
      if (mortal.isDead) await new Process(0).round()
      assertKeys(id)
    }
  }
  const { RUNNING, STOPPED, TERMINATED } = Lifecycle
  await reaches(RUNNING)
  await at.compute.updateInstance({ id, idleShutdownSeconds: limit }, ann)
  await reaches(STOPPED, () => pass(id, limit / 4))
  await at.compute.startInstance({ id }, ann)
  await reaches(RUNNING)
  await at.compute.stopInstance({ id }, ann)
  await reaches(STOPPED)
  await at.compute.startInstance({ id }, ann)
  await reaches(RUNNING)
  await at.compute.terminateInstance({ id }, ann)
  await reaches(TERMINATED)
  await assertBilled(id)
  assert.equal(at.machines.refused, 0, 'a second run was asked for')
  const { events } = await at.compute.listInstanceEvents({ id }, ann)
  const kinds = events.map(({ kind }) => kind)
  for (const kind of ['idle_warning', 'idle_stop', 'removed']) {
    assert.equal(kinds.filter((one) => one === kind).length, 1, kind)
  }
  return mortal.points
}

/** Nothing is left to do, but for a running instance. */
async function isAtRest(id: string) {
  const row = await at.ctx.db
    .selectFrom('instance')
    .select(['desired', 'observed', 'api_key_id', 'old_api_key_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (row.desired === 'running') return true
  const isGone = row.desired !== 'terminated' || row.observed === 'gone'
  return isGone && row.api_key_id === null && row.old_api_key_id === null
}

/** Time passes in which nothing happens in the instance. */
async function pass(id: string, seconds: number) {
  const columns = ['running_since', 'last_activity_on', 'measured_since', 'idle_warned_on']
  const all = [...columns, 'idle_stops_on']
  const earlier = all.map((name) => `${name} = ${name} - interval '${seconds} s'`)
  await sql.raw(`update instance set ${earlier.join(', ')} where id = '${id}'`).execute(at.ctx.db)
}

function assertKeys(id: string) {
  const keys = [...at.peers.apiKeys.values()].filter(({ name }) => name.endsWith(id))
  assert.ok(keys.length <= 1, `it has ${keys.length} API keys`)
}

async function assertBilled(id: string) {
  const runs = at.machines.runs.filter(({ spec }) => spec.instanceId === id)
  let endedAtMs = 0
  for (const run of runs) {
    assert.ok(endedAtMs <= run.startedAtMs, 'two runs at a time')
    endedAtMs = run.endedAtMs ?? Number.POSITIVE_INFINITY
  }
  const ran = runs.reduce((sum, run) => sum + at.machines.ranForMs(run), 0)
  const { rows } = await sql<{ ran_ms: string }>`
    select sum(ran_ms)::text as ran_ms from run where instance_id = ${id}`.execute(at.ctx.db)
  assert.equal(Number(rows[0]?.ran_ms), ran)
  assert.ok(![...at.peers.apiKeys.values()].some(({ name }) => name.endsWith(id)))
}

test('a reconciler may be killed anywhere in the life of an instance', async (t) => {
  const points = await live(0)
  assert.ok(points > 100, 'there are points')
  t.diagnostic(`${points} points`)
  for (let point = 1; point <= points; point++) {
    await live(point).catch((error: unknown) => {
      throw new Error(`killed at point ${point}`, { cause: error })
    })
  }
})
