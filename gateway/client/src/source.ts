/** A file that is read in parts. */
export type RandomAccess = {
  size: number
  /** The bytes from `start` up to but not including `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
}

/** What can be published: text, bytes, a `Blob` or `File`, or a file that is read in parts. */
export type Source = string | Uint8Array | Blob | RandomAccess

const partBytes = 4 * 2 ** 20

export function toRandomAccess(source: Source): RandomAccess {
  if (typeof source === 'string') return toRandomAccess(new TextEncoder().encode(source))
  if (source instanceof Uint8Array) {
    return {
      size: source.length,
      read: async (start, end) => new Uint8Array(source.slice(start, end)),
    }
  }
  if (source instanceof Blob) {
    return {
      size: source.size,
      read: async (start, end) => new Uint8Array(await source.slice(start, end).arrayBuffer()),
    }
  }
  return source
}

/** All bytes, a few MiB at a time. */
export async function* toParts(source: Source): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = toRandomAccess(source)
  for (let start = 0; start < file.size; start += partBytes) {
    yield await file.read(start, Math.min(start + partBytes, file.size))
  }
}

/** The bytes in base64, in one line. */
export async function toBase64(source: Source): Promise<string> {
  const file = toRandomAccess(source)
  const bytes = await file.read(0, file.size)
  // Slices, because the arguments of a call are limited.
  const sliceBytes = 0x8000
  let binary = ''
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    binary += String.fromCharCode(...bytes.subarray(at, at + sliceBytes))
  }
  return btoa(binary)
}
