import type { Db } from '../db/schema.js'
import type { Place } from '../engine/port.js'
import {
  beforeAllChanges,
  type ChangeCursor,
  type LikenessRow,
  listChangedPlaces,
  type PlaceRow,
} from '../queries/loaded-likenesses.js'
import type { ThreadEnded } from '../threads/thread.js'

const pageMax = 2000
/** Changes of that time are read again: a transaction may have been committed after a later one. */
const overlapMs = 10_000

/** What the memory of a thread holds of figure revisions. */
export type MemoryIndex = AsyncDisposable & {
  /** Resolves when the thread has ended; until then, calls take effect in their order. */
  ended: Promise<ThreadEnded>
  size(): number
  /** Ignores unknown ids, like `remove`. */
  place(rows: { id: string; place: Place }[]): Promise<void>
  remove(ids: string[]): Promise<void>
}

export type Content = { id: string; place: Place; createdMs: number; content: Buffer }

/** How an index is opened and filled from the database. */
export type Source<Index extends MemoryIndex> = {
  /** What it holds, in the plural. */
  name: string
  open(): Index
  read(db: Db, after: ChangeCursor, limit: number): Promise<LikenessRow[]>
  put(index: Index, rows: Content[]): Promise<void>
}

/** Keeps an index in memory up to date with the database. */
export class Follower<Index extends MemoryIndex> implements AsyncDisposable {
  readonly index: Index
  #likenesses = beforeAllChanges
  #places: ChangeCursor | undefined
  #syncing: Promise<void> | undefined

  constructor(
    private readonly db: Db,
    private readonly source: Source<Index>,
    /** Ends the reading of many pages. */
    private readonly signal: AbortSignal,
  ) {
    this.index = source.open()
  }

  /** Reads what has changed since the last time. Concurrent callers share the work. */
  async sync(): Promise<void> {
    this.#syncing ??= this.#read().finally(() => {
      this.#syncing = undefined
    })
    await this.#syncing
  }

  async #read() {
    // The first reading of likenesses has the places of all, but some of them may change meanwhile.
    const places = this.#places ?? cursorAt(Date.now() - overlapMs)
    // A row of a place counts only for those that are loaded, so that the likenesses come first.
    this.#likenesses = await this.#readPages(
      this.#likenesses,
      (after) => this.source.read(this.db, after, pageMax),
      (rows) => this.#load(rows),
    )
    this.#places = await this.#readPages(
      places,
      (after) => listChangedPlaces(this.db, after, pageMax),
      (rows) => this.index.place(rows.map((row) => ({ id: row.id, place: placeOf(row) }))),
    )
  }

  async #load(rows: LikenessRow[]) {
    const contents: Content[] = []
    const others: string[] = []
    for (const { id, content, workspace_id: workspaceId, ...row } of rows) {
      if (workspaceId === null || content === null) others.push(id)
      else {
        const place = placeOf({ ...row, workspace_id: workspaceId })
        contents.push({ id, place, createdMs: row.created_ms, content })
      }
    }
    if (contents.length > 0) await this.source.put(this.index, contents)
    if (others.length > 0) await this.index.remove(others)
  }

  /** Returns where the next reading begins. */
  async #readPages<Row extends { id: string; changed_on: string }>(
    from: ChangeCursor,
    read: (after: ChangeCursor) => Promise<Row[]>,
    work: (rows: Row[]) => Promise<void>,
  ): Promise<ChangeCursor> {
    let after = from
    for (let isMore = true; isMore; ) {
      this.signal.throwIfAborted()
      const rows = await read(after)
      if (rows.length > 0) await work(rows)
      const last = rows.at(-1)
      if (last) after = { changedOn: last.changed_on, id: last.id }
      isMore = rows.length === pageMax
    }
    return settled(after, from)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#syncing?.catch(() => {})
    await this.index[Symbol.asyncDispose]()
  }
}

/** The cursor, or an earlier one if transactions that change rows before it may still be committed. */
function settled(cursor: ChangeCursor, from: ChangeCursor): ChangeCursor {
  const settledMs = Date.now() - overlapMs
  if (msOf(cursor) <= settledMs) return cursor
  if (msOf(from) >= settledMs) return from
  return cursorAt(settledMs)
}

const cursorAt = (ms: number): ChangeCursor => ({
  ...beforeAllChanges,
  changedOn: new Date(ms).toISOString(),
})

/** PostgreSQL's text of a time, or ISO 8601. */
const msOf = ({ changedOn }: ChangeCursor) =>
  Date.parse(changedOn.replace(' ', 'T').replace(/\+00$/, 'Z'))

const placeOf = (row: Omit<PlaceRow, 'id' | 'changed_on' | 'created_ms'>): Place => ({
  workspaceId: row.workspace_id,
  analysisId: row.analysis_id,
  itemId: row.item_id,
  hiddenBy: row.hidden_by,
})
