import type { Db } from '../db/schema.js'
import type { Place } from '../engine/port.js'
import { pictureVersion } from '../pictures/describe.js'
import {
  beforeAllChanges,
  type ChangeCursor,
  type LikenessRow,
  listChangedLikenesses,
  listChangedPlaces,
  type PlaceRow,
} from '../queries/loaded-likenesses.js'
import type { VectorIndex } from '../vectors/vector-index.js'
import type { PictureSearch } from './picture-search.js'

const pageMax = 2000
/** Changes of that time are read again: a transaction may have been committed after a later one. */
const overlapMs = 10_000

type Indexes = {
  /** Undefined without an embedder. */
  vectors: VectorIndex | undefined
  pictures: PictureSearch
  /** The model of the vectors. */
  model: string | undefined
}

/** Keeps the vectors and pictures in memory up to date with the database. */
export class SimilarFigures implements AsyncDisposable {
  #likenesses = beforeAllChanges
  #places = beforeAllChanges
  #syncing: Promise<void> | undefined
  #isLoaded = false

  constructor(
    private readonly db: Db,
    readonly indexes: Indexes,
  ) {}

  /** False until all that was there at the start has been read. */
  get isLoaded(): boolean {
    return this.#isLoaded
  }

  /** Reads what has changed since the last time. Concurrent callers share the work. */
  async sync(): Promise<void> {
    this.#syncing ??= this.#read().finally(() => {
      this.#syncing = undefined
    })
    await this.#syncing
  }

  async #read() {
    // A row of a place counts only for those that are loaded, so that the likenesses come first.
    this.#likenesses = await readPages(
      this.#likenesses,
      (after) => listChangedLikenesses(this.db, after, pageMax),
      (rows) => this.#load(rows),
    )
    if (!this.#isLoaded) this.#places = { ...this.#likenesses }
    this.#places = await readPages(
      this.#places,
      (after) => listChangedPlaces(this.db, after, pageMax),
      (rows) => this.#move(rows),
    )
    this.#isLoaded = true
  }

  async #load(rows: LikenessRow[]) {
    const { vectors, pictures, model } = this.indexes
    const placed = rows.filter(({ workspace_id: workspace }) => workspace !== null)
    const gone = rows.filter(({ workspace_id: workspace }) => workspace === null)
    const withVector = placed.filter((row) => row.vector && row.model === model)
    const withPicture = placed.filter((row) => row.picture_version === pictureVersion)
    await pictures.set(
      withPicture.flatMap((row) =>
        row.picture_global ? { id: row.id, place: placeOf(row), global: row.picture_global } : [],
      ),
    )
    await vectors?.upsert(
      withVector.map((row) => ({
        id: row.id,
        place: placeOf(row),
        createdMs: row.created_ms,
        vector: floatsOf(row.vector as Buffer),
      })),
    )
    const without = (some: LikenessRow[]) => {
      const kept = new Set(some)
      return [...gone, ...placed.filter((row) => !kept.has(row))].map(({ id }) => id)
    }
    await vectors?.remove(without(withVector))
    await pictures.remove(without(withPicture))
  }

  async #move(rows: PlaceRow[]) {
    const places = rows.map((row) => ({ id: row.id, place: placeOf(row) }))
    await this.indexes.vectors?.place(places)
    await this.indexes.pictures.place(places)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#syncing?.catch(() => {})
    await this.indexes.vectors?.[Symbol.asyncDispose]()
    await this.indexes.pictures[Symbol.asyncDispose]()
  }
}

/** Returns where the next reading begins. */
async function readPages<Row extends { id: string; changed_on: string }>(
  from: ChangeCursor,
  read: (after: ChangeCursor) => Promise<Row[]>,
  work: (rows: Row[]) => Promise<void>,
): Promise<ChangeCursor> {
  let after = from
  for (let isMore = true; isMore; ) {
    const rows = await read(after)
    if (rows.length > 0) await work(rows)
    const last = rows.at(-1)
    if (last) after = { changedOn: last.changed_on, id: last.id }
    isMore = rows.length === pageMax
  }
  return settled(after, from)
}

/** The cursor, or an earlier one if transactions that change rows before it may still be committed. */
function settled(cursor: ChangeCursor, from: ChangeCursor): ChangeCursor {
  const settledMs = Date.now() - overlapMs
  if (msOf(cursor) <= settledMs) return cursor
  if (msOf(from) >= settledMs) return from
  return { ...beforeAllChanges, changedOn: new Date(settledMs).toISOString() }
}

/** PostgreSQL's text of a time, or ISO 8601. */
const msOf = ({ changedOn }: ChangeCursor) =>
  Date.parse(changedOn.replace(' ', 'T').replace(/\+00$/, 'Z'))

const placeOf = (row: PlaceRow): Place => ({
  workspaceId: row.workspace_id,
  analysisId: row.analysis_id,
  itemId: row.item_id,
  hiddenBy: row.hidden_by,
})

const floatsOf = (bytes: Buffer): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer)
