import { Zip, ZipPassThrough } from 'fflate'

export type ZipFile = {
  path: string
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * A ZIP of files that are read one after the other. Nothing is compressed: pictures are already, and texts are small.
 * It has no ZIP64 records, so it must be smaller than 4 GiB.
 */
export async function* zipOf(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  const zip = new Zip((error, bytes) => {
    if (error) throw error
    made.push(bytes)
  })
  for await (const { path, bytes } of files) {
    const entry = new ZipPassThrough(path)
    zip.add(entry)
    for await (const chunk of bytes) {
      entry.push(chunk)
      yield* made.splice(0)
    }
    entry.push(new Uint8Array(), true)
    yield* made.splice(0)
  }
  zip.end()
  yield* made
}
