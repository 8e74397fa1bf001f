import type { Ctx } from '../context.js'
import type { Db } from '../db/schema.js'
import { placeOf } from '../domain/place.js'
import type { IndexedDocument } from '../engine/port.js'
import { type ClaimedChange, insertChanges } from '../queries/changes.js'
import { readRecognizedTexts, readVectors } from '../queries/likenesses.js'
import { beforeAllPlaces, listRevisionsOf, type NewPlace, upsertPlaces } from '../queries/places.js'
import { describeFigures, type FigureTexts, saveFigures } from './describe-figures.js'
import { documentOf } from './document.js'
import { removeObjects } from './remove-objects.js'
import { readSources, type Sources } from './sources.js'
import { writeDocuments } from './write-documents.js'

/** Revisions that one statement marks. */
const renamedMax = 1000

/**
 * Brings the index up to date with objects that changed. May be repeated. Reads from the other services, never in a
 * transaction. Returns whether it has marked objects as changed.
 */
export async function indexChanges(
  ctx: Ctx,
  changes: ClaimedChange[],
  signal: AbortSignal,
): Promise<boolean> {
  const ids = changes.map(({ id }) => id)
  const sources = await readSources(ctx, ids, signal)
  const recognized = await readRecognizedTexts(ctx.db, [...sources.revisions.keys()])
  const figures = describeFigures(ctx, sources, recognized)
  const vectors = await vectorsOf(ctx, [...figures.keys()])
  const documents = documentsOf(ctx, sources, recognized, figures).map((document) => ({
    ...document,
    vector: vectors.get(document.id),
  }))
  const found = new Set(documents.map(({ id }) => id))
  await removeObjects(
    ctx,
    ids.filter((id) => !found.has(id)),
  )
  const placed = await upsertPlaces(ctx.db, documents, changes[0]?.claimed_on)
  await writeDocuments(
    ctx,
    documents.filter(({ id }) => placed.has(id)),
  )
  // Another process has read them later.
  const outdated = documents.filter(({ id }) => !placed.has(id)).map(({ id }) => id)
  for (const id of outdated) figures.delete(id)
  if (outdated.length > 0) await insertChanges(ctx.db, outdated)
  await saveFigures(ctx, figures)
  let hasMarked = outdated.length > 0
  for (const { id, renamesRevisions } of changes) {
    if (renamesRevisions) hasMarked = (await renameRevisions(ctx.db, id, signal)) || hasMarked
  }
  return hasMarked
}

/** Marks the revisions of a figure or an asset as changed; returns whether it has any. */
async function renameRevisions(db: Db, id: string, signal: AbortSignal): Promise<boolean> {
  let hasMarked = false
  for (let after: string | undefined = beforeAllPlaces; after; ) {
    signal.throwIfAborted()
    const ids: string[] = await listRevisionsOf(db, id, after, renamedMax)
    if (ids.length > 0) await insertChanges(db, ids)
    hasMarked ||= ids.length > 0
    after = ids.length === renamedMax ? ids.at(-1) : undefined
  }
  return hasMarked
}

/** Only if the engine holds them. They are written with the document, also to a new index. */
async function vectorsOf({ db, engine, similar }: Ctx, ids: string[]) {
  const model = engine.nearest && (await similar).embedders?.indexing.model
  return model ? readVectors(db, ids, model) : new Map<string, Float32Array>()
}

/** The documents of the objects that exist. */
function documentsOf(
  { cfg }: Ctx,
  { nodes, revisions, texts, comments, stories }: Sources,
  recognized: Map<string, string>,
  figures: FigureTexts,
): (IndexedDocument & NewPlace)[] {
  const documents: (IndexedDocument & NewPlace)[] = []
  for (const [id, node] of nodes) {
    const place = placeOf(node)
    if (!place) continue
    const revision = revisions.get(id)
    const own = texts.get(id) ?? []
    const parts = {
      place,
      node,
      revision,
      texts: own,
      comments: comments.get(id),
      story: stories.get(id),
      ocr: recognized.get(id),
      meaning: figures.get(id)?.words,
    }
    const content = revision && {
      content: { version: revision.isProcessing ? 0 : revision.version, texts: own.length },
    }
    documents.push({ ...documentOf(parts, cfg.fieldCharsMax), ...content })
  }
  return documents
}
