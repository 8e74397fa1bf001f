import type { CallOptions } from '@connectrpc/connect'
import { actAsSystem } from '@figbase/kit/rpc'
import type { Periodic } from '@figbase/kit/service'
import { changeAsFigbase, wakeReconciler } from '../change.js'
import type { Ctx } from '../context.js'
import { planIdleOf } from '../domain/idle.js'
import { next } from '../domain/lifecycle.js'
import { exhaustedText } from '../domain/status.js'
import { type ComputePlan, readAllowance, readPlans } from '../plan.js'
import { changeInstance } from '../queries/change.js'
import { listRunning, type RunningRow, setPlanIdle } from '../queries/entitlement.js'
import { lowestId } from '../queries/reconciling.js'

/** At most as many as catalog tells about with one call. */
const batch = 1000

/**
 * Stops instances whose owner has left the workspace, or whose workspace was deleted; and, after a notice, those whose
 * plan has no time left in this month. Notes what the plans say of idle instances.
 */
export const stopUnentitled: Periodic<Ctx> = {
  name: 'stop-unentitled',
  everyMs: 60_000,
  async run(ctx, signal) {
    if (!ctx.driver) return
    const as = { ...actAsSystem(), signal }
    for (let after = lowestId; ; ) {
      const rows = await listRunning(ctx.db, after, batch)
      if (rows.length > 0) await endAll(ctx, rows, as)
      if (rows.length < batch) return
      after = rows.at(-1)?.id ?? after
    }
  },
}

async function endAll(ctx: Ctx, rows: RunningRow[], as: CallOptions) {
  const isMember = await readMembers(ctx, rows, as)
  const members = rows.filter(isMember)
  const workspaceIds = [...new Set(members.map(({ workspace_id }) => workspace_id))]
  const plans = await readPlans(ctx, workspaceIds, as)
  await savePlans(ctx, members, plans)
  const exhausted = await readExhausted(ctx, plans)
  for (const row of rows) {
    const holderId = plans.get(row.workspace_id)?.holderId ?? ''
    if (!isMember(row)) await stop(ctx, row, 'Its owner is not in the workspace any more.')
    else if (!exhausted.has(holderId)) await keep(ctx, row)
    else if (row.ends_on === null) await notify(ctx, row)
    else if (row.is_over) await stop(ctx, row, 'The plan has no time left in this month.')
  }
}

/** Whether the owner of an instance still sees its workspace, which is not the case if it was deleted. */
async function readMembers({ catalog }: Ctx, rows: RunningRow[], as: CallOptions) {
  const nodeIds = [...new Set(rows.map(({ workspace_id }) => workspace_id))]
  const usernames = [...new Set(rows.map(({ owner }) => owner))]
  const { nodes } = await catalog.listViewers({ nodeIds, usernames }, as)
  const viewers = new Map(nodes.map((node) => [node.nodeId, new Set(node.usernames)]))
  return ({ workspace_id, owner }: RunningRow) => viewers.get(workspace_id)?.has(owner) === true
}

/** The plans may have changed since instances were started. */
async function savePlans(ctx: Ctx, rows: RunningRow[], plans: Map<string, ComputePlan>) {
  const changed = rows.flatMap((row) => {
    const plan = plans.get(row.workspace_id)
    const after = plan && planIdleOf(plan)
    const isSame =
      !after ||
      (after.plan_requires_idle_shutdown === row.plan_requires_idle_shutdown &&
        after.plan_idle_seconds_max === row.plan_idle_seconds_max)
    return isSame ? [] : { id: row.id, ...after }
  })
  if (changed.length > 0) await setPlanIdle(ctx.db, changed)
}

/** The holders of plans that have no time left. */
async function readExhausted({ db }: Ctx, plans: Map<string, ComputePlan>): Promise<Set<string>> {
  const limited = [...plans.values()].filter(({ monthlySeconds }) => monthlySeconds !== null)
  const planOf = new Map(limited.map((plan) => [plan.holderId, plan]))
  const exhausted = new Set<string>()
  for (const [holderId, plan] of planOf) {
    if ((await readAllowance(db, plan)).isExhausted) exhausted.add(holderId)
  }
  return exhausted
}

async function stop(ctx: Ctx, row: RunningRow, text: string) {
  const state = next(row, 'stop')
  const event = { kind: 'stop', text, actor: '' }
  await ctx.transact(async (tx) => {
    await changeInstance(tx, row, { ...state, detail: text }, event)
    ctx.wakeRelay(tx)
    await wakeReconciler(ctx, tx)
  })
}

/** An allowance that was exhausted may have been raised, or the month may have ended. */
async function keep(ctx: Ctx, row: RunningRow) {
  if (row.ends_on === null) return
  await changeAsFigbase(ctx, row, { ends_on: null }, 'allowance_restored', '')
}

async function notify(ctx: Ctx, row: RunningRow) {
  const ends_on = new Date(Date.now() + ctx.cfg.graceMs).toISOString()
  await changeAsFigbase(ctx, row, { ends_on }, 'allowance_exhausted', exhaustedText(ends_on))
}
