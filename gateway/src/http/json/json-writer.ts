import { base64Length, encodeBase64 } from './base64-encoder.js'
import { cutAtInserts, JsonInsert } from './json-markers.js'

/** JSON text that is inserted unchanged. The caller must make sure that it is valid. */
export class RawJson extends JsonInsert {
  constructor(readonly text: string) {
    super()
  }
}

/** Written as a base64 JSON string. The source is opened only when it is written. */
export class Base64Stream extends JsonInsert {
  constructor(
    readonly bytes: AsyncIterable<Uint8Array>,
    readonly lengthBytes: number,
  ) {
    super()
  }
}

/** Written as a JSON array, item by item. Items may contain inserts themselves. */
export class JsonArrayStream extends JsonInsert {
  constructor(readonly items: AsyncIterable<unknown>) {
    super()
  }
}

/** `lengthBytes` is undefined if the value contains a JsonArrayStream. */
export type WrittenJson =
  | { body: string; lengthBytes: number }
  | { body: AsyncIterable<string>; lengthBytes: number | undefined }

// The first and the last part of a value are text.
type Part = string | Base64Stream | JsonArrayStream

// Small items are buffered: a socket write costs more than serializing most items.
const bufferedLengthMax = 32 * 1024

/**
 * Serializes a response value: to text if nothing in it streams, else to a stream of text that is read on
 * demand. Writes undefined as null. An early `return` also ends the source being read.
 */
export function writeJson(value: unknown): WrittenJson {
  const parts = partsOf(value)
  const [only] = parts
  if (parts.length === 1 && typeof only === 'string') {
    return { body: only, lengthBytes: Buffer.byteLength(only) }
  }
  return { body: pull(parts), lengthBytes: knownLength(parts) }
}

/** The parts in order; raw text is joined with the text around it. */
function partsOf(value: unknown): Part[] {
  const parts: Part[] = []
  let text = ''
  for (const part of cutAtInserts(value)) {
    if (typeof part === 'string') text += part
    else if (part instanceof RawJson) text += part.text
    else if (part instanceof Base64Stream || part instanceof JsonArrayStream) {
      parts.push(text, part)
      text = ''
    }
  }
  parts.push(text)
  return parts
}

async function* pull(parts: Part[]): AsyncGenerator<string, void, undefined> {
  for (const part of parts) {
    if (typeof part === 'string') {
      if (part !== '') yield part
    } else if (part instanceof Base64Stream) {
      yield '"'
      yield* encodeBase64(part.bytes, part.lengthBytes)
      yield '"'
    } else yield* pullItems(part.items)
  }
}

async function* pullItems(items: AsyncIterable<unknown>): AsyncGenerator<string, void, undefined> {
  let buffered = '['
  let comma = ''
  for await (const item of items) {
    buffered += comma
    comma = ','
    const [text, ...others] = partsOf(item)
    buffered += text
    if (others.length > 0) {
      yield buffered
      buffered = ''
      yield* pull(others)
    }
    if (buffered.length >= bufferedLengthMax) {
      yield buffered
      buffered = ''
    }
  }
  yield `${buffered}]`
}

function knownLength(parts: Part[]): number | undefined {
  let lengthBytes = 0
  for (const part of parts) {
    if (part instanceof JsonArrayStream) return undefined
    if (typeof part === 'string') lengthBytes += Buffer.byteLength(part)
    else lengthBytes += base64Length(part.lengthBytes) + 2
  }
  return lengthBytes
}
