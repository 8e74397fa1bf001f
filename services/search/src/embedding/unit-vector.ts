/** The vector with length 1, in new memory. Undefined if it has no direction: zero, or a number that is not finite. */
export function unitVector(values: ArrayLike<number>): Float32Array | undefined {
  const vector = Float32Array.from(values)
  let sum = 0
  for (const value of vector) sum += value * value
  const length = Math.sqrt(sum)
  if (!Number.isFinite(length) || length === 0) return undefined
  return vector.map((value) => value / length)
}
