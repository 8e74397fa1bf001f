import { withDeadline } from '@figbase/kit/timing'
import { staleMs } from '../config.js'
import type { Ctx } from '../context.js'
import { isWorking } from '../domain/idle-shutdown.js'
import { isAtRest } from '../domain/lifecycle.js'
import { type Driver, isAlive, type Observation } from '../drivers/port.js'
import { type MeasuredRun, saveHeartbeats } from '../queries/heartbeats.js'
import { type ActiveRow, listActive, listByIds, lowestId } from '../queries/reconciling.js'
import { recordRuns } from '../queries/runs.js'
import { reconcileInstance } from './reconcile-instance.js'
import { stopIdle } from './stop-idle.js'

const batch = 500
const concurrency = 8

type Pair = { row: ActiveRow; seen: Observation | undefined }

/**
 * Takes one step of each instance that is not at rest, and returns whether there were any. It may run in several
 * processes at once, and be interrupted anywhere. `isMeasuring`: also notes heartbeats and the time of running runs, and
 * stops idle instances.
 */
export async function reconcile(
  ctx: Ctx,
  driver: Driver,
  signal: AbortSignal,
  isMeasuring: boolean,
): Promise<boolean> {
  // Read before the driver is observed: what it reports is never older than the row.
  const rows = await readActive(ctx)
  const observations = await limited(ctx, signal, (limit) => driver.observe(limit))
  const seenOf = new Map(observations.map((one) => [one.instanceId, one]))
  const known = new Set(rows.map(({ id }) => id))
  const others = observations.filter(({ instanceId }) => !known.has(instanceId))
  // What is left of a terminated instance can wait.
  const candidates = isMeasuring ? others : others.filter(isAlive)
  const late = await readReappeared(ctx, driver, candidates, signal)
  const pairs = [...rows, ...late].map((row) => ({ row, seen: seenOf.get(row.id) }))
  await record(ctx, pairs, isMeasuring)
  await inParallel(pairs, async ({ row, seen }) => {
    signal.throwIfAborted()
    await limited(ctx, signal, (limit) => reconcileInstance(ctx, driver, row, seen, limit)).catch(
      (err: unknown) => {
        ctx.log.warn({ err, id: row.id }, 'reconciling a compute instance failed; will be repeated')
      },
    )
  })
  if (isMeasuring) await measure(ctx, driver, pairs, signal)
  return pairs.length > 0
}

const limited = <T>(
  { cfg }: Ctx,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => withDeadline(signal, cfg.callTimeoutMs, work)

async function readActive({ db }: Ctx): Promise<ActiveRow[]> {
  const rows: ActiveRow[] = []
  for (let after = lowestId; ; ) {
    const page = await listActive(db, after, batch)
    rows.push(...page)
    if (page.length < batch) return rows
    after = page.at(-1)?.id ?? after
  }
}

/**
 * Instances that are at rest although a run of them is alive, or something is left of them. Runs of unknown instances
 * are stopped, and their volumes kept: the database may have been restored from a backup that is older than they are.
 */
async function readReappeared(
  ctx: Ctx,
  driver: Driver,
  candidates: Observation[],
  signal: AbortSignal,
): Promise<ActiveRow[]> {
  if (candidates.length === 0) return []
  const rows = await listByIds(
    ctx.db,
    candidates.map(({ instanceId }) => instanceId),
  )
  const alive = candidates.filter(isAlive)
  const aliveIds = new Set(alive.map(({ instanceId }) => instanceId))
  const found = new Set(rows.map(({ id }) => id))
  const unknown = alive.filter(({ instanceId }) => !found.has(instanceId))
  await inParallel(unknown, async (run) => {
    const { instanceId: id } = run
    ctx.log.warn({ id }, 'stopping an unknown compute instance')
    await limited(ctx, signal, (limit) => driver.stop(run, limit)).catch((err: unknown) => {
      ctx.log.warn({ err, id }, 'stopping an unknown compute instance failed; will be repeated')
    })
  })
  return rows.filter((row) => isAtRest(row) && (aliveIds.has(row.id) || row.observed === 'gone'))
}

/** Adds to the ledger what ended, and from time to time what is running. */
async function record({ db }: Ctx, pairs: Pair[], isMeasuring: boolean) {
  const runs = pairs.flatMap(({ seen }) => {
    if (!seen?.startedAt || (isAlive(seen) && !isMeasuring)) return []
    return {
      id: seen.runId,
      instanceId: seen.instanceId,
      startedOn: seen.startedAt.toISOString(),
      ranMs: Math.round(seen.ranForMs),
      hasEnded: !isAlive(seen),
    }
  })
  for (let at = 0; at < runs.length; at += batch) await recordRuns(db, runs.slice(at, at + batch))
}

/** Notes heartbeats, and stops instances that are idle. One that cannot be measured is not stopped. */
async function measure(ctx: Ctx, driver: Driver, pairs: Pair[], signal: AbortSignal) {
  const { db, cfg, log } = ctx
  const vcpuOf = new Map(cfg.tiers.map(({ id, vcpu }) => [id, vcpu]))
  const measured: MeasuredRun[] = []
  await inParallel(pairs, async ({ row, seen }) => {
    if (seen?.state !== 'running') return
    const { instanceId: id, runId } = seen
    const heartbeat = await limited(ctx, signal, (limit) => driver.measure(id, limit)).catch(
      () => undefined,
    )
    if (!heartbeat) return
    const works = isWorking(heartbeat, vcpuOf.get(row.tier) ?? 1, cfg.idleCpuPct)
    measured.push({ id, runId, heartbeat, isWorking: works })
  })
  for (let at = 0; at < measured.length; at += batch) {
    const rows = await saveHeartbeats(db, measured.slice(at, at + batch), staleMs(cfg))
    await inParallel(rows, async (row) => {
      await stopIdle(ctx, row).catch((err: unknown) => {
        log.warn({ err, id: row.id }, 'stopping an idle compute instance failed; will be repeated')
      })
    })
  }
}

async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
