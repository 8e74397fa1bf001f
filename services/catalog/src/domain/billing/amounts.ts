/** A fraction of integers that are not negative, rounded to the nearest integer; halves are rounded up. */
export const roundHalfUp = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator)

/** A fraction as a decimal number with at most six digits after the point. */
export function decimalOf(numerator: bigint, denominator: bigint): string {
  const millionths = roundHalfUp(numerator * 1_000_000n, denominator)
  const rest = (millionths % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '')
  return `${millionths / 1_000_000n}${rest && `.${rest}`}`
}
