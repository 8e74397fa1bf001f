/** Rows per array, so that growing copies nothing. */
const chunkRows = 4096

/** Vectors as they are, in chunks. */
export class FloatRows {
  readonly #chunks: Float32Array[] = []

  constructor(readonly dimensions: number) {}

  set(slot: number, vector: Float32Array): void {
    const chunk = Math.floor(slot / chunkRows)
    this.#chunks[chunk] ??= new Float32Array(chunkRows * this.dimensions)
    this.#chunks[chunk].set(vector, (slot % chunkRows) * this.dimensions)
  }

  /** A view of a stored row. */
  get(slot: number): Float32Array {
    const start = (slot % chunkRows) * this.dimensions
    const chunk = this.#chunks[Math.floor(slot / chunkRows)] ?? new Float32Array()
    return chunk.subarray(start, start + this.dimensions)
  }

  dot(slot: number, query: Float32Array): number {
    const rows = this.#chunks[Math.floor(slot / chunkRows)] ?? query
    let at = (slot % chunkRows) * this.dimensions
    // Four sums, because one addition need not wait for the other.
    let [a, b, c, d] = [0, 0, 0, 0]
    const even = query.length - (query.length % 4)
    for (let n = 0; n < even; n += 4, at += 4) {
      a += (rows[at] as number) * (query[n] as number)
      b += (rows[at + 1] as number) * (query[n + 1] as number)
      c += (rows[at + 2] as number) * (query[n + 2] as number)
      d += (rows[at + 3] as number) * (query[n + 3] as number)
    }
    for (let n = even; n < query.length; n++, at++) a += (rows[at] as number) * (query[n] as number)
    return a + b + c + d
  }
}
