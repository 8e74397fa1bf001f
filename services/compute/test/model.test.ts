import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@figbase/kit/testing'
import { parsePeriod } from '@figbase/kit/text'
import { Lifecycle } from '@figbase/proto/compute'
import type { Ctx } from '../src/context.js'
import type { Db } from '../src/db/schema.js'
import { DriverFailed } from '../src/drivers/port.js'
import { sumByTier } from '../src/queries/runs.js'
import { reconcile } from '../src/reconciler/reconcile.js'
import { createMemoryDriver, Machines } from './memory-driver.js'
import { ann, type Started, start } from './test-service.js'

const seeds = [1, 2, 3, 4, 5, 6, 7, 8]
const steps = 250
const instancesMax = 3
/** Shortly before the end of a month and a year. */
const begin = Date.parse('2026-12-31T23:58:00Z')
const months = ['2026-12', '2027-01']
const tiers = ['small', 'medium', 'large']
const gbOf: Record<string, number> = { small: 2, medium: 8, large: 16 }

/** Time, chance and the processes that reconcile. */
class Chaos {
  now = begin
  isOver = false
  readonly random: () => number
  /** Calls that wait. */
  readonly #late: (() => void)[] = []

  constructor(seed: number) {
    this.random = seededRandom(seed)
  }

  chance = (part: number): boolean => !this.isOver && this.random() < part

  pick = <T>(items: T[]): T | undefined => items[Math.floor(this.random() * items.length)]

  /** Some calls fail, some are late; time passes. */
  interfere = async (call: string): Promise<void> => {
    if (this.isOver) return
    this.now += Math.floor(this.random() * 300)
    if (this.chance(0.15)) throw new DriverFailed('The machine is busy.')
    // A late removal could end a run that began again meanwhile, and nobody would know how long it ran.
    if (call !== 'remove' && this.chance(0.15)) {
      await new Promise<void>((resolve) => this.#late.push(resolve))
    }
  }

  release(): void {
    const index = Math.floor(this.random() * this.#late.length)
    for (const resolve of this.#late.splice(index, 1)) resolve()
  }

  releaseAll(): void {
    for (const resolve of this.#late.splice(0)) resolve()
  }

  /** The database as a process has it that may be killed: before or after a statement took effect. */
  killable(db: Db, killed: AbortSignal): Db {
    return new Proxy(db, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (name !== 'executeQuery' || typeof value !== 'function') return value
        return async (...args: unknown[]) => {
          killed.throwIfAborted()
          const result = await value.apply(target, args)
          killed.throwIfAborted()
          return result
        }
      },
    })
  }
}

for (const seed of seeds) {
  test(`random commands, failures, delays and kills, seed ${seed}`, async () => {
    const chaos = new Chaos(seed)
    const machines = new Machines({ now: () => chaos.now, startMs: 700 })
    const driver = createMemoryDriver(machines, { interfere: chaos.interfere })
    await using at = await start({ machines, driver })
    const processes = new Set<{ kill: AbortController; ended: Promise<unknown> }>()
    const spawn = () => {
      const kill = new AbortController()
      const db = chaos.killable(at.ctx.db, kill.signal) as typeof at.ctx.db
      const ctx: Ctx = { ...at.ctx, db, write: (run) => run(db) }
      const round = reconcile(ctx, driver, kill.signal, chaos.chance(0.3)).catch(() => {})
      const one = { kill, ended: round.finally(() => processes.delete(one)) }
      processes.add(one)
      return round
    }
    const ids: string[] = []
    for (let step = 0; step < steps; step++) {
      chaos.now += Math.floor(chaos.random() * 1500)
      const what = chaos.random()
      if (what < 0.3) await command(at, chaos, ids)
      else if (what < 0.8) {
        const round = spawn()
        // Others go on while this one works.
        while (processes.size > 3) {
          chaos.releaseAll()
          await passing()
        }
        if (chaos.chance(0.6)) await Promise.race([round, passing()])
      } else if (what < 0.87) chaos.release()
      else if (what < 0.93) chaos.pick([...processes])?.kill.abort(new Error('killed'))
      else if (what < 0.97)
        machines.crash(chaos.pick(ids) ?? '', chaos.pick(['Out of memory.', undefined]))
      else at.peers.failures.push(new Error('identity is down'))
    }
    chaos.isOver = true
    at.peers.failures.length = 0
    while (processes.size > 0) {
      chaos.releaseAll()
      await passing()
    }
    for (let round = 0; round < 30; round++) {
      chaos.now += 1000
      await at.round()
    }
    await assertConverged(at, ids)
    assert.equal(machines.refused, 0, 'a second run of an instance was asked for')
    assert.ok(machines.runs.length > instancesMax, 'the instances ran')
    assertNeverTwo(machines)
    await assertBilled(at, ids)
  })
}

const passing = () => new Promise((resolve) => setImmediate(resolve))

/** A command of a user; those that do not fit the state are refused. */
async function command({ compute, launch }: Started, chaos: Chaos, ids: string[]) {
  if (ids.length < instancesMax) return void ids.push((await launch()).id)
  const id = chaos.pick(ids) ?? ''
  const calls = [
    () => compute.startInstance({ id }, ann),
    () => compute.startInstance({ id }, ann),
    () => compute.stopInstance({ id }, ann),
    () => compute.stopInstance({ id }, ann),
    () => compute.changeTier({ id, tier: chaos.pick(tiers) ?? '' }, ann),
    async () => {
      if (chaos.random() > 0.3) return
      await compute.terminateInstance({ id }, ann)
      ids.push((await launch()).id)
    },
  ]
  await chaos
    .pick(calls)?.()
    .catch(() => {})
}

async function assertConverged({ compute, machines, peers }: Started, ids: string[]) {
  let running = 0
  for (const id of ids) {
    const { instance } = await compute.getInstance({ id }, ann)
    const observed = machines.observe().find(({ instanceId }) => instanceId === id)
    const lifecycle = Lifecycle[instance?.lifecycle ?? 0] ?? ''
    const shown = `${lifecycle}, and its run ${observed?.state}`
    if (lifecycle === 'RUNNING') {
      running++
      assert.equal(observed?.state, 'running', shown)
    } else {
      assert.match(lifecycle, /^(STOPPED|FAILED|TERMINATED)$/, shown)
      assert.ok(observed?.state !== 'running' && observed?.state !== 'starting', shown)
      // The driver may still know which of its runs must not begin.
      if (lifecycle === 'TERMINATED') assert.equal(observed, undefined, 'all of it is removed')
    }
  }
  const keys = [...peers.apiKeys.values()]
  assert.ok(keys.length >= running, 'running instances have a key')
  for (const { name } of keys) assert.equal(keys.filter((one) => one.name === name).length, 1)
}

function assertNeverTwo({ runs }: Machines) {
  const lastOf = new Map<string, number>()
  // In the order of their begin.
  for (const { spec, startedAtMs, endedAtMs = Number.POSITIVE_INFINITY } of runs) {
    assert.ok((lastOf.get(spec.instanceId) ?? 0) <= startedAtMs, 'two runs at a time')
    lastOf.set(spec.instanceId, endedAtMs)
  }
}

/** The ledger has exactly what the machines ran, by tier, and each month its part. */
async function assertBilled({ ctx, machines }: Started, ids: string[]) {
  for (const id of ids) {
    for (const tier of tiers) {
      const runs = machines.runs.filter(
        ({ spec }) => spec.instanceId === id && spec.memoryBytes === (gbOf[tier] ?? 0) * 2 ** 30,
      )
      for (const month of months) {
        const period = parsePeriod(month)
        const [from, to] = [Date.parse(period.from), Date.parse(period.to)]
        const ran = runs.reduce((sum, run) => {
          const end = run.endedAtMs ?? run.startedAtMs + machines.ranForMs(run)
          return sum + Math.max(0, Math.min(end, to) - Math.max(run.startedAtMs, from))
        }, 0)
        const rows = await sumByTier(ctx.db, { column: 'instance_id', id }, period)
        const billed = rows.find((row) => row.tier === tier)?.used_ms ?? 0n
        assert.equal(Number(billed), ran, `${tier} in ${month}`)
      }
    }
  }
}
