import { randomBytes } from 'node:crypto'

/** A unique text in one place, and the readers who may find it there or elsewhere. */
interface Marker<Reader> {
  place: string
  readers: ReadonlySet<Reader>
  /** The readers who must find it somewhere. */
  shownTo: ReadonlySet<Reader>
  /** A name of a user, which all signed-in users can find in the user directory. */
  isOfPerson: boolean
}

interface MarkerOptions<Reader> {
  /** Set if it is not shown to all readers. */
  shownTo?: readonly Reader[]
  isOfPerson?: boolean
}

/** A marker that was shown to a reader without access. */
export interface Leak<Reader> {
  reader: Reader
  place: string
  where: string
}

const run = randomBytes(4).toString('hex')
/** All markers begin with it. */
export const markerPrefix = `cn${run}x`
const markerPattern = new RegExp(
  `cn${run}x\\d+x|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`,
  'g',
)
/** Base64 that may contain a marker. */
const base64 = /[A-Za-z0-9+/]{16,}={0,2}/g

/** Plants unique texts (markers) in private places, and detects who finds them. */
export class LeakDetector<Reader extends string> {
  readonly #all = new Map<string, Marker<Reader>>()
  readonly #found = new Map<Reader, Set<string>>()
  readonly leaks: Leak<Reader>[] = []

  get count(): number {
    return this.#all.size
  }

  /** Returns a new marker for a place that only these readers may view. */
  createMarker(place: string, readers: readonly Reader[], how: MarkerOptions<Reader> = {}): string {
    const text = `cn${run}x${this.#all.size}x`
    this.add(text, place, readers, how)
    return text
  }

  /** Adds an id as marker that only these readers may find. */
  add(
    id: string,
    place: string,
    readers: readonly Reader[],
    how: MarkerOptions<Reader> = {},
  ): void {
    const { shownTo = readers, isOfPerson = false } = how
    this.#all.set(id, { place, readers: new Set(readers), shownTo: new Set(shownTo), isOfPerson })
  }

  /**
   * Searches a response to a reader for markers, also in base64. `isDirectory`: the response is the user directory,
   * which contains the names of all users.
   */
  scan(reader: Reader, where: string, text: string, isDirectory = false): void {
    const decoded = (text.match(base64) ?? []).map((one) => Buffer.from(one, 'base64').toString())
    for (const found of `${text} ${decoded.join(' ')}`.match(markerPattern) ?? []) {
      const marker = this.#all.get(found)
      if (!marker) continue
      const { place, readers, isOfPerson } = marker
      if (isOfPerson && isDirectory) continue
      if (!readers.has(reader)) this.leaks.push({ reader, place, where })
      const seen = this.#found.get(reader) ?? new Set()
      this.#found.set(reader, seen.add(found))
    }
  }

  /** The places that a reader should have found but did not. */
  missed(reader: Reader): string[] {
    const seen = this.#found.get(reader)
    return [...this.#all].flatMap(([text, { place, shownTo }]) =>
      shownTo.has(reader) && !seen?.has(text) ? [place] : [],
    )
  }

  /** The number of markers that a reader found. */
  countFound(reader: Reader): number {
    return this.#found.get(reader)?.size ?? 0
  }
}
