import { Base64Decoder } from './base64-decoder.js'
import { readBase64String } from './base64-string.js'
import { BodyError } from './body-error.js'
import { ByteSource } from './byte-source.js'
import { memberPath } from './member-path.js'
import { RawReader } from './raw-reader.js'

/**
 * - member: a member of the body other than `data`, as raw JSON. A name may occur twice; the last one
 *   counts.
 * - chunk: decoded bytes of the object being read, in a buffer that the next pull overwrites.
 * - object-end: the end of an element of `data`; its other members as sent, the last of each name.
 *   `hasData` is false when `data` was absent or null; true without a chunk means "".
 */
export type UploadEvent =
  | { kind: 'member'; name: string; raw: string }
  | { kind: 'chunk'; bytes: Uint8Array }
  | { kind: 'object-end'; members: Map<string, string>; hasData: boolean; index: number }

export type UploadLimits = {
  /** For one raw value or name, and for all raw values of one element together. */
  memberBytesMax: number
  objectsMax: number
  /** Counts all open brackets, including that of the body: an element of `data` is at depth 3. */
  depthMax: number
  /** For the body and all elements together; only the size limits members inside raw values. */
  membersMax: number
}

/**
 * Parses an upload as a stream: memory is bounded by the limits and a buffer of 256 KiB. Reads only on
 * demand. Throws BodyError. On an error or an early return it calls the body's `return`, which destroys a
 * Node stream: pass `req.iterator({ destroyOnReturn: false })` to be able to respond. Like JSON.parse it
 * rejects a byte order mark.
 */
export async function* scanUpload(
  body: AsyncIterable<Uint8Array>,
  limits: UploadLimits,
): AsyncGenerator<UploadEvent, void, undefined> {
  const input = new ByteSource()
  // Synchronous within a chunk: awaiting each token would cost more than reading it.
  const events = new UploadReader(input, limits).readBody()
  for await (const bytes of body) {
    input.feed(bytes)
    for (let event = events.next().value; event; event = events.next().value) yield event
  }
  input.end()
  for (let event = events.next().value; event; event = events.next().value) yield event
}

// Yields undefined to request the next chunk of the body.
type Events<Result = void> = Generator<UploadEvent | undefined, Result>

class UploadReader {
  readonly #input: ByteSource
  readonly #limits: UploadLimits
  readonly #raw: RawReader
  #decoder: Base64Decoder | undefined
  #memberCount = 0

  constructor(input: ByteSource, limits: UploadLimits) {
    this.#input = input
    this.#limits = limits
    this.#raw = new RawReader(input, limits)
  }

  *readBody(): Events {
    yield* this.#expect('{', '', 'an object')
    let hasList = false
    for (let first = true; ; first = false) {
      const name = yield* this.#nextName('', first)
      if (name === undefined) break
      if (name === 'data') {
        if (hasList) throw new BodyError('data', 'The list is given twice.', 'invalid')
        hasList = true
        yield* this.#readList()
      } else {
        yield { kind: 'member', name, raw: yield* this.#raw.read(memberPath('', name), 1) }
      }
    }
    if (!(yield* this.#input.atEnd())) throw this.#input.malformed('unexpected data after the end')
  }

  *#readList(): Events {
    if (yield* this.#readNull()) return
    yield* this.#expect('[', 'data', 'a list of objects')
    if ((yield* this.#input.token()) === code(']')) {
      this.#input.position++
      return
    }
    for (let index = 0; ; index++) {
      if (index === this.#limits.objectsMax) {
        const reason = `The list has more than ${this.#limits.objectsMax} objects.`
        throw new BodyError('data', reason, 'too_large')
      }
      yield* this.#readObject(index)
      const byte = yield* this.#input.token()
      if (byte !== code(',') && byte !== code(']')) throw this.#input.malformed('missing comma')
      this.#input.position++
      if (byte === code(']')) return
    }
  }

  *#readObject(index: number): Events {
    const path = `data[${index}]`
    yield* this.#expect('{', path, 'an object')
    const members = new Map<string, string>()
    let hasData: boolean | undefined
    let rawLength = 0
    for (let first = true; ; first = false) {
      const name = yield* this.#nextName(path, first)
      if (name === undefined) break
      const field = memberPath(path, name)
      if (name === 'data') {
        if (hasData !== undefined) throw new BodyError(field, 'The data is given twice.', 'invalid')
        hasData = yield* this.#readData(field)
      } else {
        const raw = yield* this.#raw.read(field, 3)
        rawLength += name.length + raw.length
        if (rawLength > this.#limits.memberBytesMax) {
          const reason = `The members take more than ${this.#limits.memberBytesMax} bytes together.`
          throw new BodyError(path, reason, 'too_large')
        }
        members.set(name, raw)
      }
    }
    yield { kind: 'object-end', members, hasData: hasData === true, index }
  }

  *#readData(field: string): Events<boolean> {
    if (yield* this.#readNull()) return false
    yield* this.#expect('"', field, 'a string of base64, or null')
    // Created on demand: many uploads carry no data.
    this.#decoder ??= new Base64Decoder()
    for (const bytes of readBase64String(this.#input, this.#decoder, field)) {
      yield bytes && { kind: 'chunk', bytes }
    }
    return true
  }

  /** Reads the name of the next member and moves to its value; undefined at the end of the object. */
  *#nextName(path: string, first: boolean): Generator<undefined, string | undefined> {
    let byte = yield* this.#input.token()
    if (byte === code('}')) {
      this.#input.position++
      return undefined
    }
    if (!first) {
      if (byte !== code(',')) throw this.#input.malformed('missing comma')
      this.#input.position++
      byte = yield* this.#input.token()
    }
    if (byte !== code('"')) throw this.#input.malformed('a name must be a string')
    if (++this.#memberCount > this.#limits.membersMax) {
      const reason = `The body has more than ${this.#limits.membersMax} members.`
      throw new BodyError(path, reason, 'too_large')
    }
    const name = yield* this.#raw.readName(path)
    if ((yield* this.#input.token()) !== code(':')) throw this.#input.malformed('missing colon')
    this.#input.position++
    yield* this.#expectValue()
    return name
  }

  *#readNull(): Generator<undefined, boolean> {
    if ((yield* this.#input.token()) !== code('n')) return false
    yield* this.#raw.read('', 0)
    return true
  }

  /** Moves past an opening bracket, but stays at an opening quote, which is part of the string. */
  *#expect(start: '{' | '[' | '"', field: string, what: string): Generator<undefined, void> {
    const byte = yield* this.#expectValue()
    if (byte !== code(start)) {
      // Reads words and numbers to tell invalid JSON such as `nope` from a value of the wrong type.
      if (!openers.has(byte)) yield* this.#raw.read(field, 0)
      throw new BodyError(field, `It must be ${what}.`, 'invalid')
    }
    if (start !== '"') this.#input.position++
  }

  *#expectValue(): Generator<undefined, number> {
    const byte = yield* this.#input.token()
    if (!valueStarts.has(byte)) throw this.#input.malformed('missing value')
    return byte
  }
}

const openers = new Set(Buffer.from('{["'))
const valueStarts = new Set(Buffer.from('{["-0123456789tfn'))

function code(character: string): number {
  return character.charCodeAt(0)
}
