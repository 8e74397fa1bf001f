import type { Ctx } from '../context.js'
import { placeOf } from '../domain/place.js'
import type { IndexedDocument } from '../engine/port.js'
import { type ClaimedChange, insertChanges } from '../queries/changes.js'
import { readRecognizedTexts } from '../queries/likenesses.js'
import { listRevisionsOf, upsertPlaces } from '../queries/places.js'
import { describeFigures, type FigureTexts, saveFigures } from './describe-figures.js'
import { documentOf } from './document.js'
import { removeObjects } from './remove-objects.js'
import { readSources, type Sources } from './sources.js'
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
  const sources = await readSources(ctx, ids, signal)
  const recognized = await readRecognizedTexts(ctx.db, [...sources.revisions.keys()])
  const figures = describeFigures(ctx, sources, recognized)
  const documents = documentsOf(ctx, sources, recognized, figures)
  const found = new Set(documents.map(({ id }) => id))
  await removeObjects(
    ctx,
    ids.filter((id) => !found.has(id)),
  )
  const placed = await upsertPlaces(ctx.db, documents, changes[0]?.claimed_on)
  await writeDocuments(ctx, documents)
  // Another process has read their places later: the documents may have old ones.
  const outdated = documents.filter(({ id }) => !placed.has(id)).map(({ id }) => id)
  if (outdated.length > 0) await insertChanges(ctx.db, outdated)
  await saveFigures(ctx, figures)
  for (const { id, renamesRevisions } of changes) {
    if (renamesRevisions) await insertChanges(ctx.db, await listRevisionsOf(ctx.db, id))
  }
}

/** The documents of the objects that exist. */
function documentsOf(
  { cfg }: Ctx,
  { nodes, revisions, texts, comments }: Sources,
  recognized: Map<string, string>,
  figures: FigureTexts,
): IndexedDocument[] {
  const documents: IndexedDocument[] = []
  for (const [id, node] of nodes) {
    const place = placeOf(node)
    if (!place) continue
    const parts = {
      place,
      node,
      revision: revisions.get(id),
      texts: texts.get(id) ?? [],
      comments: comments.get(id),
      ocr: recognized.get(id),
      meaning: figures.get(id)?.words,
    }
    documents.push(documentOf(parts, cfg.fieldCharsMax))
  }
  return documents
}
