import type { Ctx } from '../context.js'
import { deleteRevision } from '../queries/revisions.js'

/** Removes a revision that never became visible. Objects that are nobody's then are collected. */
export async function undoRevision(ctx: Ctx, id: string): Promise<void> {
  await ctx.write((db) => deleteRevision(db, id, { retires: false }))
}
