import { unitVector } from './unit-vector.js'

/** The direction of the sum of vectors of one length, as a vector of length 1. Undefined if there is none. */
export function meanVector(vectors: Float32Array[]): Float32Array | undefined {
  const [first] = vectors
  if (!first) return undefined
  const sum = new Float32Array(first.length)
  for (const vector of vectors) {
    for (let n = 0; n < sum.length; n++) sum[n] = (sum[n] ?? 0) + (vector[n] ?? 0)
  }
  return unitVector(sum)
}
