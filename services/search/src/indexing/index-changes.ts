import type { Ctx } from '../context.js'
import { placeOf } from '../domain/place.js'
import type { IndexedDocument } from '../engine/port.js'
import { type ClaimedChange, insertChanges } from '../queries/changes.js'
import { listRevisionsOf, upsertPlaces } from '../queries/places.js'
import { documentOf } from './document.js'
import { removeObjects } from './remove-objects.js'
import { readSources } from './sources.js'
import { writeDocuments } from './write-documents.js'

/**
 * Brings the index up to date with objects that changed. May be repeated. Reads from the other services, never in a
 * transaction.
 */
export async function indexChanges(
  ctx: Ctx,
  changes: ClaimedChange[],
  signal: AbortSignal,
): Promise<void> {
  const ids = changes.map(({ id }) => id)
  const documents = await readDocuments(ctx, ids, signal)
  const found = new Set(documents.map(({ id }) => id))
  await removeObjects(
    ctx,
    ids.filter((id) => !found.has(id)),
  )
  await upsertPlaces(ctx.db, documents)
  await writeDocuments(ctx, documents)
  for (const { id, renamesRevisions } of changes) {
    if (renamesRevisions) await insertChanges(ctx.db, await listRevisionsOf(ctx.db, id))
  }
}

/** The current documents of those objects that exist. */
export async function readDocuments(
  ctx: Ctx,
  ids: string[],
  signal: AbortSignal,
): Promise<IndexedDocument[]> {
  const sources = await readSources(ctx, ids, signal)
  const documents: IndexedDocument[] = []
  for (const [id, node] of sources.nodes) {
    const place = placeOf(node)
    if (!place) continue
    const parts = {
      place,
      node,
      revision: sources.revisions.get(id),
      texts: sources.texts.get(id) ?? [],
      comments: sources.comments.get(id),
      ocr: undefined,
    }
    documents.push(documentOf(parts, ctx.cfg.fieldCharsMax))
  }
  return documents
}
