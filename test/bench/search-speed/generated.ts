import { seededRandom } from '@figbase/kit/testing'

const vocabularySize = 50_000
/** The most frequent words, such as `the` and `of`: few people search for them. */
const functionWords = 30
const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zy'.split(' ')
const topicsCount = 200

/** Random texts, vectors and choices, the same ones each time. Words are as frequent as in a natural language. */
export class Generated {
  readonly #random: () => number
  readonly #words = Array.from({ length: vocabularySize }, (_, n) => wordOf(n))
  /** Sums of 1/rank, up to each word. */
  readonly #sums = sums(vocabularySize)
  readonly #frequent = new Set(this.#words.slice(0, functionWords))
  #topics: Float32Array[] = []

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  text(length: number): string {
    return Array.from({ length }, () => this.#word()).join(' ')
  }

  /** Two or three words of a text: any words but function words, so that frequent words are as frequent as there. */
  queryIn(text: string): string {
    const words = [...new Set(text.split(' '))].filter((word) => !this.#frequent.has(word))
    return Array.from({ length: 2 + this.below(2) }, () => words[this.below(words.length)]).join(
      ' ',
    )
  }

  /** Two of the most frequent words, which most objects have. */
  frequentQueries(count: number): string[] {
    const word = () => this.#words[this.below(functionWords)] ?? ''
    return Array.from({ length: count }, () => `${word()} ${word()}`)
  }

  /** A query with one error: two neighbours swapped in its longest word. */
  mistyped(query: string): string {
    const words = query.split(' ')
    const longest = words.reduce((a, b) => (b.length > a.length ? b : a))
    const at = 1 + this.below(longest.length - 2)
    const swapped = [longest[at + 1], longest[at]].join('')
    const wrong = longest.slice(0, at) + swapped + longest.slice(at + 2)
    return words.map((word) => (word === longest ? wrong : word)).join(' ')
  }

  /** A vector of length 1 near one of 200 topics. */
  vector(dimensions: number): Float32Array {
    if (this.#topics.length === 0) {
      this.#topics = Array.from({ length: topicsCount }, () => this.#direction(dimensions))
    }
    return this.#direction(dimensions, this.#topics[this.below(topicsCount)])
  }

  /** A copy in which about this part of the bits is inverted, from a byte on. */
  disturbed(bytes: Buffer, part: number, from: number): Buffer {
    const copy = Buffer.from(bytes)
    for (let n = Math.round(8 * (bytes.length - from) * part); n > 0; n--) {
      const at = from + this.below(bytes.length - from)
      copy[at] = (copy[at] ?? 0) ^ (1 << this.below(8))
    }
    return copy
  }

  uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.below(16).toString(16)).join('')
    return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
  }

  below(end: number): number {
    return Math.floor(this.#random() * end)
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

  /** About half of it in the direction of the base. */
  #direction(dimensions: number, base?: Float32Array): Float32Array {
    const spread = Math.sqrt(12 / dimensions)
    const vector = new Float32Array(dimensions)
    let sum = 0
    for (let n = 0; n < dimensions; n++) {
      const value = (base?.[n] ?? 0) + (this.#random() - 0.5) * spread
      vector[n] = value
      sum += value * value
    }
    return vector.map((value) => value / Math.sqrt(sum))
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
