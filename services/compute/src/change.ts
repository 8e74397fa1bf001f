import type { HandlerContext } from '@connectrpc/connect'
import { principal } from '@figbase/kit/rpc'
import type { Ctx } from './context.js'
import type { Tx } from './db/schema.js'
import { instanceNotFound } from './errors.js'
import { reconcile, reconcileKey } from './job-names.js'
import { changeInstance } from './queries/change.js'
import { findInstance, type InstanceRow, lockInstance } from './queries/instances.js'

export type Changes = Parameters<typeof changeInstance>[2]

/** What a command does to an instance; undefined: nothing, because it is so already. */
export type Decide = (
  before: InstanceRow,
  tx: Tx,
) => Changes | undefined | Promise<Changes | undefined>

/** Locks an instance, changes it in the name of the caller, and wakes the reconciler. Returns the instance after it. */
export function changeAsCaller(
  ctx: Ctx,
  id: string,
  kind: string,
  call: HandlerContext,
  decide: Decide,
): Promise<InstanceRow> {
  const { username: actor } = principal(call)
  return ctx.transact(async (tx) => {
    await lockInstance(tx, id)
    const before = await findInstance(tx, id)
    if (!before) throw instanceNotFound()
    const changes = await decide(before, tx)
    if (!changes) return before
    const after = await changeInstance(tx, before, changes, { kind, text: '', actor })
    if (!after) throw new Error('a locked instance was changed')
    ctx.wakeRelay(tx)
    await wakeReconciler(ctx, tx)
    return after
  })
}

/** Changes an instance in the name of Figbase, unless it was changed since `before` was read: undefined then. */
export const changeAsFigbase = (
  { write }: Pick<Ctx, 'write'>,
  before: InstanceRow,
  changes: Changes,
  kind: string,
  text: string,
): Promise<InstanceRow | undefined> =>
  write((db) => changeInstance(db, before, changes, { kind, text, actor: '' }), { publishes: true })

export const wakeReconciler = (ctx: Pick<Ctx, 'enqueue'>, tx: Tx): Promise<void> =>
  ctx.enqueue(tx, reconcile, {}, { key: reconcileKey })
