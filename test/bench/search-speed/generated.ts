import { seededRandom } from '@figbase/kit/testing'
import type { Filter, IndexedDocument } from '@figbase/search/words'

const vocabularySize = 50_000
const workspaceCount = 200
const memberships = 40
const shares = 200
const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zy'.split(' ')

/** Random objects and queries, the same ones each time. Words are as frequent as in a natural language. */
export class Generated {
  readonly #random = seededRandom(1)
  readonly #words = Array.from({ length: vocabularySize }, (_, n) => wordOf(n))
  /** Sums of 1/rank, up to each word. */
  readonly #sums = sums(vocabularySize)
  readonly #workspaces = Array.from({ length: workspaceCount }, () => this.#uuid())
  readonly documents: IndexedDocument[]

  constructor(count: number) {
    this.documents = Array.from({ length: count }, (_, n) => this.#document(n))
  }

  #document(n: number): IndexedDocument {
    const id = this.#uuid()
    return {
      id,
      type: 'figure',
      workspaceId: this.#workspaces[this.#below(workspaceCount)] ?? '',
      analysisId: null,
      itemId: id,
      hiddenBy: null,
      createdOn: new Date(Date.UTC(2020, 0, 1) + n * 60_000).toISOString(),
      fields: {
        name: this.#text(3 + this.#below(4)),
        description: this.#text(20),
        metadata: this.#text(20),
        code: this.#text(60),
      },
    }
  }

  /** The caller is a member of some workspaces, and others shared some figures. */
  filter(): Filter {
    const shared = this.documents.slice(0, shares).map(({ id }) => id)
    return { roots: [...this.#workspaces.slice(0, memberships), ...shared], recent: [] }
  }

  /**
   * Two or three words of an object that the caller may view: any words of its texts, so that frequent words are as
   * frequent as there.
   */
  queries(count: number): string[] {
    const { roots } = this.filter()
    const visible = this.documents.filter(({ workspaceId, id }) =>
      [workspaceId, id].some((one) => roots.includes(one)),
    )
    return Array.from({ length: count }, () => {
      const { fields } = visible[this.#below(visible.length)] ?? { fields: {} }
      const words = [...new Set(Object.values(fields).join(' ').split(' '))]
      const chosen = Array.from(
        { length: 2 + this.#below(2) },
        () => words[this.#below(words.length)],
      )
      return chosen.join(' ')
    })
  }

  /** A query with one error: two neighbours swapped in its longest word. */
  mistyped(query: string): string {
    const words = query.split(' ')
    const longest = words.reduce((a, b) => (b.length > a.length ? b : a))
    const at = 1 + this.#below(longest.length - 2)
    const swapped = [longest[at + 1], longest[at]].join('')
    const wrong = longest.slice(0, at) + swapped + longest.slice(at + 2)
    return words.map((word) => (word === longest ? wrong : word)).join(' ')
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end)
  }

  #text(length: number): string {
    return Array.from({ length }, () => this.#word()).join(' ')
  }

  #word(): string {
    const sum = this.#random() * (this.#sums.at(-1) ?? 0)
    let low = 0
    let high = vocabularySize - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sums[middle] ?? 0) < sum) low = middle + 1
      else high = middle
    }
    return this.#words[low] ?? ''
  }

  #uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.#below(16).toString(16)).join('')
    return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
  }
}

function wordOf(n: number): string {
  let word = ''
  for (let rest = n + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length]
  }
  return word
}

function sums(length: number): Float64Array {
  const all = new Float64Array(length)
  let sum = 0
  for (let n = 0; n < length; n++) {
    sum += 1 / (n + 1)
    all[n] = sum
  }
  return all
}
