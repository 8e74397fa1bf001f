import { randomBytes } from 'node:crypto'

/** A text that stands at one place, and which of the readers may find it there, or anywhere. */
interface Canary<Reader> {
  place: string
  readers: ReadonlySet<Reader>
  /** Those of them who must find it somewhere. */
  shownTo: ReadonlySet<Reader>
  /** A name of a person, which whoever signed in finds among the users. */
  isOfPerson: boolean
}

interface Planting<Reader> {
  /** Where not all who may view it are shown it. */
  shownTo?: readonly Reader[]
  isOfPerson?: boolean
}

/** A canary that was found by who may not view its place. */
export interface Leak<Reader> {
  reader: Reader
  place: string
  where: string
}

const run = randomBytes(4).toString('hex')
const planted = new RegExp(
  `cn${run}x\\d+x|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`,
  'g',
)
/** Long enough to hide a canary. */
const base64 = /[A-Za-z0-9+/]{16,}={0,2}/g

/** The canaries of one world, and who found which. */
export class Canaries<Reader extends string> {
  readonly #all = new Map<string, Canary<Reader>>()
  readonly #found = new Map<Reader, Set<string>>()
  readonly leaks: Leak<Reader>[] = []

  get count(): number {
    return this.#all.size
  }

  /** A new text for a place that only those readers may view. */
  plant(place: string, readers: readonly Reader[], how: Planting<Reader> = {}): string {
    const text = `cn${run}x${this.#all.size}x`
    this.add(text, place, readers, how)
    return text
  }

  /** An id that only those readers may be told. */
  add(id: string, place: string, readers: readonly Reader[], how: Planting<Reader> = {}): void {
    const { shownTo = readers, isOfPerson = false } = how
    this.#all.set(id, { place, readers: new Set(readers), shownTo: new Set(shownTo), isOfPerson })
  }

  /**
   * Looks through something that a reader was shown at an address, into base64 too. In the directory of users
   * are the names of all.
   */
  look(reader: Reader, where: string, text: string, isDirectory = false): void {
    const decoded = (text.match(base64) ?? []).map((one) => Buffer.from(one, 'base64').toString())
    for (const found of `${text} ${decoded.join(' ')}`.match(planted) ?? []) {
      const canary = this.#all.get(found)
      if (!canary) continue
      const { place, readers, isOfPerson } = canary
      if (isOfPerson && isDirectory) continue
      if (!readers.has(reader)) this.leaks.push({ reader, place, where })
      const seen = this.#found.get(reader) ?? new Set()
      this.#found.set(reader, seen.add(found))
    }
  }

  /** Places that must be shown to a reader, and were not. */
  missed(reader: Reader): string[] {
    const seen = this.#found.get(reader)
    return [...this.#all].flatMap(([text, { place, shownTo }]) =>
      shownTo.has(reader) && !seen?.has(text) ? [place] : [],
    )
  }

  /** How many a reader was shown. */
  countFound(reader: Reader): number {
    return this.#found.get(reader)?.size ?? 0
  }
}
