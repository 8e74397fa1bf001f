import { ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { type Changes, changeAsFigbase } from '../change.js'
import type { Ctx } from '../context.js'
import { actionOf, type Finding, findingOf } from '../domain/decide.js'
import { type Happening, isAtRest, next } from '../domain/lifecycle.js'
import { type Driver, DriverFailed, type Observation, type RunRef } from '../drivers/port.js'
import type { ActiveRow } from '../queries/reconciling.js'
import { revokeKeys } from './notebook-keys.js'
import { startRun } from './start-run.js'

/** After a run of this length, a failure is the first one again. */
const stableMs = 10 * 60_000
const retryDelayMsMax = 5 * 60_000

/**
 * Takes one step of an instance towards what is desired. `row` was read before `seen` was observed. Each change is
 * refused if the row has changed since, so that several reconcilers do not disturb each other.
 */
export async function reconcileInstance(
  ctx: Ctx,
  driver: Driver,
  row: ActiveRow,
  seen: Observation | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { attemptsMax } = ctx.cfg
  const isStable = seen?.runId === row.run_id && seen.ranForMs >= stableMs
  const current = isStable ? { ...row, attempts: 0 } : row
  const finding = findingOf(current, seen, attemptsMax)
  const found = finding ? await take(ctx, current, seen, finding) : current
  if (!found) return
  const action = actionOf(found, seen, attemptsMax)
  if (action?.call === 'start' && found.is_due) {
    await startRun(ctx, driver, found, signal).catch((error: unknown) => failed(ctx, found, error))
  }
  if (action?.call === 'stop') {
    const run = { instanceId: row.id, runId: action.runId }
    await driver.stop(run, signal)
    // It may have begun since it was observed: then the next round sees how long it ran.
    const isKnown = action.happening && (await isObserved(driver, run, signal))
    if (action.happening && !isKnown) await note(ctx, found, action.happening)
  }
  if (action?.call === 'remove') await driver.remove(row.id, signal)
  if (action?.call === 'none') await note(ctx, found, action.happening)
  const hasKey = found.api_key_id !== null || found.old_api_key_id !== null
  if (!action && hasKey && isAtRest(found)) await revokeKeys(ctx, found, signal)
}

async function isObserved(driver: Driver, { instanceId, runId }: RunRef, signal: AbortSignal) {
  const observations = await driver.observe(signal)
  return observations.some((one) => one.instanceId === instanceId && one.runId === runId)
}

const note = (ctx: Ctx, row: ActiveRow, happening: Happening) =>
  apply(ctx, row, happening, { detail: row.detail })

/** Notes what was found; undefined if the row has changed since it was read. */
function take(
  ctx: Ctx,
  row: ActiveRow,
  seen: Observation | undefined,
  { happening, detail }: Finding,
): Promise<ActiveRow | undefined> {
  switch (happening) {
    case 'run_running':
      return apply(ctx, row, happening, {
        detail,
        address: seen?.address ?? '',
        running_since: seen?.startedAt?.toISOString() ?? null,
      })
    case 'run_retried':
      return apply(ctx, row, happening, {
        ...ended(detail),
        run_id: ctx.newOrderedId(),
        ...anotherAttempt(ctx, row),
      })
    case 'run_reappeared':
      return apply(ctx, row, happening, { run_id: seen?.runId ?? row.run_id })
    default:
      // Otherwise why Figbase stopped it.
      return apply(ctx, row, happening, ended(detail || row.detail))
  }
}

const ended = (detail: string) => ({
  detail,
  address: '',
  running_since: null,
  idle_warned_on: null,
  idle_stops_on: null,
})

const anotherAttempt = ({ cfg }: Ctx, { attempts }: ActiveRow) => ({
  attempts: attempts + 1,
  retryInMs: Math.min(retryDelayMsMax, cfg.retryDelayMs * 2 ** attempts),
})

async function apply(
  ctx: Ctx,
  row: ActiveRow,
  happening: Happening,
  changes: Changes,
): Promise<ActiveRow | undefined> {
  const state = next(row, happening)
  if (!state) throw new Error(`${happening} cannot follow ${row.desired} ${row.observed}`)
  const after = await changeAsFigbase(
    ctx,
    row,
    { ...state, ...changes },
    happening,
    changes.detail ?? '',
  )
  return after && { ...row, ...after, is_due: !changes.retryInMs }
}

/** Notes a start that failed: the same run is started again, because it may have begun all the same. */
async function failed(ctx: Ctx, row: ActiveRow, error: unknown): Promise<void> {
  const { id } = row
  ctx.log.warn({ err: error, id }, 'starting a compute instance failed')
  const detail = reasonOf(error)
  const changes = { detail, ...anotherAttempt(ctx, row) }
  await changeAsFigbase(ctx, row, changes, 'start_failed', detail)
}

/** The part of an error that is for the owner of the instance. */
function reasonOf(error: unknown): string {
  if (error instanceof DriverFailed) return error.message
  const isForUsers = error instanceof ConnectError && detailOf(error)
  return isForUsers
    ? `It got no API key: ${error.rawMessage}`
    : 'The instance could not be started.'
}
