/** Knows from the bytes of a response whether all have been received. */
export type ResponseEnd = { add(part: Uint8Array): void; isReached(): boolean }

/** Of a response with a length, or of a stream of the Connect protocol; that of others is not known. */
export function responseEnd(header: Headers): ResponseEnd {
  if (header.get('content-type')?.startsWith('application/connect+')) return new LastEnvelope()
  return new Length(Number(header.get('content-length') ?? Number.NaN))
}

class Length implements ResponseEnd {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  add({ length }: Uint8Array) {
    this.#left -= length
  }

  isReached() {
    return this.#left === 0
  }
}

const prefixBytes = 5
const endStreamFlag = 0b10

/**
 * Messages have a prefix: a byte of flags and four with the length; the last one has the flag of the end.
 * https://connectrpc.com/docs/protocol/#streaming-rpcs
 */
class LastEnvelope implements ResponseEnd {
  #prefix = new DataView(new ArrayBuffer(prefixBytes))
  #prefixAt = 0
  /** Bytes of the message that are still to come. */
  #left = 0

  add(part: Uint8Array) {
    for (let at = 0; at < part.length; ) {
      if (this.#left > 0) {
        const length = Math.min(this.#left, part.length - at)
        this.#left -= length
        at += length
      } else this.#addToPrefix(part[at++] as number)
    }
  }

  #addToPrefix(byte: number) {
    if (this.#prefixAt === prefixBytes) this.#prefixAt = 0
    this.#prefix.setUint8(this.#prefixAt++, byte)
    if (this.#prefixAt === prefixBytes) this.#left = this.#prefix.getUint32(1)
  }

  isReached() {
    const isEnd = (this.#prefix.getUint8(0) & endStreamFlag) !== 0
    return this.#prefixAt === prefixBytes && this.#left === 0 && isEnd
  }
}
