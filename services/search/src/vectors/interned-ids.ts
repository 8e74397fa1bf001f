/**
 * Numbers for ids, from 1 upwards; 0 stands for no id. An id keeps its number while it is in use; then the number is
 * used again.
 */
export class InternedIds {
  readonly #numbers = new Map<string, number>()
  readonly #ids: string[] = ['']
  readonly #uses: number[] = [0]
  readonly #free: number[] = []

  /** More than every number in use. */
  get limit(): number {
    return this.#ids.length
  }

  /** The number of an id in use; undefined if it is not in use. */
  find(id: string): number | undefined {
    return this.#numbers.get(id)
  }

  /** Adds one use. */
  use(id: string | null): number {
    if (id === null) return 0
    let number = this.#numbers.get(id)
    if (number === undefined) {
      number = this.#free.pop() ?? this.#ids.length
      this.#numbers.set(id, number)
      this.#ids[number] = id
      this.#uses[number] = 0
    }
    this.#uses[number] = (this.#uses[number] ?? 0) + 1
    return number
  }

  /** Ends one use. */
  release(number: number): void {
    if (number === 0) return
    const uses = (this.#uses[number] ?? 0) - 1
    this.#uses[number] = uses
    if (uses > 0) return
    this.#numbers.delete(this.#ids[number] ?? '')
    this.#ids[number] = ''
    this.#free.push(number)
  }
}
