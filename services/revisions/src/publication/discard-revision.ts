import type { Ctx } from '../context.js'
import { deleteRevision } from '../queries/revisions.js'

/** Removes a revision that was never activated. Objects without references are collected later. */
export async function discardRevision(ctx: Ctx, id: string): Promise<void> {
  await ctx.write((db) => deleteRevision(db, id, { retires: false }))
}
