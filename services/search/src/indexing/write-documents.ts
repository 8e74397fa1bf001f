import type { Ctx } from '../context.js'
import type { IndexedDocument } from '../engine/port.js'
import { writtenGenerations } from '../queries/generations.js'

/** Writes documents to the live index, and to the one that is being built. Rejected documents are logged. */
export async function writeDocuments(ctx: Ctx, documents: IndexedDocument[]): Promise<void> {
  if (documents.length === 0) return
  for (const generation of await writtenGenerations(ctx.db)) {
    const rejected = await ctx.engine.write(generation, documents)
    for (const [id, reason] of rejected) ctx.log.warn({ id, reason }, 'a document was rejected')
  }
}
