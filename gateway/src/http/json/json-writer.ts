import { base64Length, encodeBase64 } from './base64-encoder.js'
import { cutAtInserts, JsonInsert } from './json-markers.js'

/** JSON text that is spliced in as it is; that it is valid is for the caller to know. */
export class RawJson extends JsonInsert {
  constructor(readonly text: string) {
    super()
  }
}

/** Becomes a JSON string of base64. The source is opened when its turn comes. */
export class Base64Stream extends JsonInsert {
  constructor(
    readonly bytes: AsyncIterable<Uint8Array>,
    readonly lengthBytes: number,
  ) {
    super()
  }
}

/** Becomes a JSON array, written item by item; an item may hold whatever a value may hold. */
export class JsonArrayStream extends JsonInsert {
  constructor(readonly items: AsyncIterable<unknown>) {
    super()
  }
}

/** `lengthBytes` is there when it is known beforehand; only a JsonArrayStream hides it. */
export type WrittenJson =
  | { body: string; lengthBytes: number }
  | { body: AsyncIterable<string>; lengthBytes: number | undefined }

// The first and the last part of a value are text.
type Part = string | Base64Stream | JsonArrayStream

// Small items are gathered: a write to a socket costs more than the making of most items.
const gatheredLengthMax = 32 * 1024

/**
 * Writes a response value: text when nothing in it streams, else text that comes as it is pulled.
 * Undefined is written as null. To stop early (`return`) reaches the source being read.
 */
export function writeJson(value: unknown): WrittenJson {
  const parts = partsOf(value)
  const [only] = parts
  if (parts.length === 1 && typeof only === 'string') {
    return { body: only, lengthBytes: Buffer.byteLength(only) }
  }
  return { body: pull(parts), lengthBytes: knownLength(parts) }
}

/** The parts in their order, raw text joined to what is around it. */
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
  let gathered = '['
  let comma = ''
  for await (const item of items) {
    gathered += comma
    comma = ','
    const [text, ...others] = partsOf(item)
    gathered += text
    if (others.length > 0) {
      yield gathered
      gathered = ''
      yield* pull(others)
    }
    if (gathered.length >= gatheredLengthMax) {
      yield gathered
      gathered = ''
    }
  }
  yield `${gathered}]`
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
