import { Transform } from 'node:stream'

/**
 * Removes a text from a stream of bytes, wherever its chunks begin. Holds back no more than the length of the text.
 */
export function removeText(text: string): Transform {
  const wanted = Buffer.from(text)
  let held: Buffer = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let rest = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      for (let at = rest.indexOf(wanted); at >= 0; at = rest.indexOf(wanted)) {
        this.push(rest.subarray(0, at))
        rest = rest.subarray(at + wanted.length)
      }
      const safe = rest.length - beginOf(rest, wanted)
      this.push(rest.subarray(0, safe))
      held = rest.subarray(safe)
      done()
    },
    flush(done) {
      done(null, held)
    },
  })
}

/** How many bytes at the end of `bytes` may be the beginning of `wanted`. */
function beginOf(bytes: Buffer, wanted: Buffer): number {
  for (let n = Math.min(bytes.length, wanted.length - 1); n > 0; n--) {
    if (bytes.subarray(bytes.length - n).equals(wanted.subarray(0, n))) return n
  }
  return 0
}
