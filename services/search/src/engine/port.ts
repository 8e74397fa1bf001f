import type { TextQuery } from '../text/query.js'

/** The types of objects that can be found. */
export type FoundType =
  | 'workspace'
  | 'analysis'
  | 'figure'
  | 'figure_revision'
  | 'asset'
  | 'asset_revision'
  | 'story'

/**
 * Where an object is in the tree. An object is below the four ids of its place, itself included: the workspace of a
 * workspace is its own id, and so on.
 */
export type Place = {
  workspaceId: string
  analysisId: string | null
  /** The figure or the asset. */
  itemId: string | null
  /** The deleted object that hides it; null: it is not deleted. */
  hiddenBy: string | null
}

export type PlacedObject = Place & { id: string; type: FoundType }

/**
 * What a caller may find: objects at or below one of the `roots` that are not hidden, and objects at or below one of
 * `recent`, whose place or restoration may not be indexed yet.
 */
export type Filter = {
  roots: string[]
  recent: string[]
  /** Undefined: all types. */
  types?: FoundType[]
  /** Tokens that a document must have, all of them. */
  metadata?: string[]
}

/** The fields of an object in which words are found, from the most important to the least. */
export const fieldNames = [
  'name',
  'description',
  /** Ids, short ids, hashes: found only as a whole. */
  'ids',
  'files',
  'metadata',
  'columns',
  'code',
  'text',
  'comments',
  /** Text that was recognized in pictures. */
  'ocr',
  /** What the code of a figure means, such as types of charts. */
  'meaning',
] as const

export type FieldName = (typeof fieldNames)[number]

export type IndexedDocument = PlacedObject & {
  /** ISO 8601 in UTC. Newer objects come first among equals. */
  createdOn: string
  /** Plain text; absent fields are empty. */
  fields: Partial<Record<FieldName, string>>
  /** Tokens of hexadecimal digits that stand for values of its metadata. */
  metadata?: string[]
  /** Of length 1, of the current model; used by engines with `nearest`. */
  vector?: Float32Array | undefined
}

/** What makes the vectors: those of two models cannot be compared. */
export type VectorModel = { model: string; dimensions: number }

/** `score`: the cosine of two vectors, mapped to 0 to 1. */
export type Neighbor = { id: string; score: number }

/** Finds the nearest vectors that the filter allows, nearest first, the newest first among equals, then by id. */
export type FindNearest = (vector: Float32Array, filter: Filter, k: number) => Promise<Neighbor[]>

export type TextHit = {
  id: string
  /** More than 0, at most 1. */
  score: number
  /** By field, in the order of the fields: snippets of HTML whose only tag is `<mark>`. Only if asked for. */
  highlights: { field: FieldName; snippets: string[] }[]
}

export type FindOptions = {
  limit: number
  /** Skips this many hits, to continue when hits were dropped. */
  offset: number
  withHighlights: boolean
}

/** An index is one generation of documents. A new one is built beside the live one, and then takes its place. */
export type Generation = number

/**
 * Finds documents by their words. Every method may be repeated without further effect. Throws SearchUnavailable if the
 * engine cannot be reached.
 */
export type SearchEngine = AsyncDisposable & {
  name: string
  /** Changes when documents must be indexed again, for example because words are split differently. */
  version(): Promise<string>
  /** What it needs besides the database. */
  server?: { name: string; isAvailable(): Promise<boolean> }
  /**
   * The hits in the live generation by descending score, newer objects first among equals, then by id. An empty
   * query finds nothing, unless the filter has metadata: then all scores are 1.
   */
  find(query: TextQuery, filter: Filter, options: FindOptions): Promise<TextHit[]>
  /** Of engines that hold the vectors of the documents: among those of the live generation. */
  nearest?: FindNearest
  create(generation: Generation): Promise<void>
  /** Adds or replaces documents. Resolves to the ids of documents that the engine rejects, with the reason. */
  write(generation: Generation, documents: IndexedDocument[]): Promise<Map<string, string>>
  /** Changes the places of documents that exist. */
  place(generation: Generation, objects: PlacedObject[]): Promise<void>
  remove(generation: Generation, ids: string[]): Promise<void>
  /** Makes a generation the live one. */
  publish(generation: Generation): Promise<void>
  /** Deletes a generation that is not live. */
  drop(generation: Generation): Promise<void>
}

export class SearchUnavailable extends Error {
  override name = 'SearchUnavailable'
}
