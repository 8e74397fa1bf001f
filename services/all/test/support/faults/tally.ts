import type { Answer, Outcome } from './user.js'

export type Kind = 'read' | 'write'

/** Results of the requests of a run. */
export class Tally {
  readonly #counts = new Map<string, number>()
  /** By the first segment of the path. */
  readonly refusedReads = new Map<string, number>()
  /** The first unexpected responses. */
  readonly wrong: string[] = []
  /** The first requests that failed for other reasons. */
  readonly failed: string[] = []

  add(kind: Kind, what: string, answer: Answer): void {
    const key = `${kind} ${answer.outcome}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    if (kind === 'read' && answer.outcome === 'refused') {
      const word = what.split(/[ /]/)[1] ?? ''
      this.refusedReads.set(word, (this.refusedReads.get(word) ?? 0) + 1)
    }
    if (answer.outcome === 'answered') return
    const list = answer.outcome === 'wrong' ? this.wrong : this.failed
    if (list.length === 10) return
    list.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }

  of(outcome: Outcome, kind?: Kind): number {
    const kinds: Kind[] = kind ? [kind] : ['read', 'write']
    return kinds.reduce((sum, one) => sum + (this.#counts.get(`${one} ${outcome}`) ?? 0), 0)
  }

  get sent(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  #words(): string {
    const words = [...this.refusedReads].map(([word, count]) => `${count} of ${word}`)
    return words.length > 0 ? `: ${words.join(', ')}` : ''
  }

  toString(): string {
    const part = (outcome: Outcome) =>
      `${this.of(outcome)} ${outcome} (${this.of(outcome, 'read')} reads)`
    return [
      `${this.sent} sent`,
      part('answered'),
      `${part('refused')}${this.#words()}`,
      part('cut'),
      `${this.of('wrong')} wrong`,
      `${this.of('hung')} hung`,
    ].join(', ')
  }
}
