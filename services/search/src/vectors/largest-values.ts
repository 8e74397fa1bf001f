/** The `count` largest of the values that are added, in a heap whose root is the smallest of them. */
export class LargestValues {
  readonly #heap: Float64Array
  #size = 0

  constructor(count: number) {
    this.#heap = new Float64Array(count)
  }

  add(value: number): void {
    const heap = this.#heap
    if (this.#size < heap.length) {
      heap[this.#size++] = value
      if (this.#size === heap.length) heap.sort()
      return
    }
    if (!(value > (heap[0] as number))) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++
      if ((heap[child] as number) >= value) break
      heap[at] = heap[child] as number
      at = child
    }
    heap[at] = value
  }

  /** The smallest of the largest; -Infinity if fewer values were added. */
  smallest(): number {
    return this.#size < this.#heap.length ? Number.NEGATIVE_INFINITY : (this.#heap[0] as number)
  }
}
