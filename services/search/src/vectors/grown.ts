type Column =
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>

const smallest = 1024

/** The array, or a longer copy with at least `length` elements; the new ones are 0. */
export function grown<T extends Column>(array: T, length: number): T {
  if (length <= array.length) return array
  const longer = new (array.constructor as new (length: number) => T)(
    Math.max(smallest, length, Math.ceil(1.5 * array.length)),
  )
  longer.set(array)
  return longer
}
