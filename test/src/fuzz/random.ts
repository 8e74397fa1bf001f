import { seededRandom } from '@figbase/kit/testing'

/** Choices that are the same for the same seed. */
export class Random {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = seededRandom(seed)
  }

  /** A whole number from 0 to below the limit. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit)
  }

  chance(probability: number): boolean {
    return this.#next() < probability
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('there is nothing to pick from')
    return list[this.below(list.length)] as T
  }

  hex(length: number): string {
    return Array.from({ length }, () => this.below(16).toString(16)).join('')
  }

  uuid(): string {
    const [a, b, c, d] = [this.hex(8), this.hex(4), this.hex(3), this.hex(3)]
    return `${a}-${b}-4${c}-${this.pick(['8', '9', 'a', 'b'])}${d}-${this.hex(12)}`
  }
}

/** The choices of one request, whatever requests come before it. */
export const randomOf = (seed: number, number: number): Random =>
  new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b))
