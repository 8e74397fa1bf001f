import { GitError } from './git-error.js'

/** Git could repeat one tree in each of many commits, so a small repository can have endless records. */
const recordBytesMax = 2 ** 16
const recordsMax = 10_000_000

/** What is before each NUL byte, and what is after the last one. */
export async function* recordsOf(chunks: AsyncIterable<Buffer>, end = 0): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  let count = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(end); at >= 0; at = chunk.indexOf(end, from)) {
      const record = chunk.subarray(from, at)
      requireShort(rest.length + record.length)
      yield rest.length > 0 ? Buffer.concat([rest, record]) : record
      rest = Buffer.alloc(0)
      from = at + 1
      if (++count > recordsMax) {
        throw new GitError('too_large', 'the history of the repository has too many changes')
      }
    }
    rest = Buffer.concat([rest, chunk.subarray(from)])
    requireShort(rest.length)
  }
  if (rest.length > 0) yield rest
}

function requireShort(bytes: number) {
  if (bytes > recordBytesMax) {
    throw new GitError(
      'too_large',
      'the repository has a path or a list of parents that is too long',
    )
  }
}
