import { type Base64Decoder, writeLengthMax } from './base64-decoder.js'
import { BodyError } from './body-error.js'
import type { ByteSource } from './byte-source.js'

const quote = 0x22

/**
 * Reads a JSON string of base64 whose opening quote is at the position. Yields bytes when the
 * decoder is full and at the end, undefined when it needs the next chunk of the body.
 */
export function* readBase64String(
  input: ByteSource,
  decoder: Base64Decoder,
  field: string,
): Generator<Uint8Array | undefined, void> {
  decoder.start(field)
  input.position++
  let cutEscape = ''
  for (;;) {
    if (!(yield* input.more())) throw input.malformed('unexpected end of input')
    const found = input.chunk.indexOf(quote, input.position)
    const end = found === -1 ? input.chunk.length : found
    while (input.position < end) {
      if (!decoder.hasRoom) yield decoder.take()
      // A split escape becomes part of this text and must not make it too long for the decoder.
      const size = writeLengthMax - cutEscape.length
      const next = Math.min(end, input.position + size)
      const sent = cutEscape + input.chunk.toString('latin1', input.position, next)
      input.position = next
      cutEscape = endOfEscape(sent)
      decoder.write(unescapeBase64(sent.slice(0, sent.length - cutEscape.length), field))
    }
    if (found !== -1) break
  }
  // A backslash before the quote escapes it, and base64 contains no quotes.
  if (cutEscape !== '') throw badEscape(field)
  input.position++
  decoder.finish()
  const rest = decoder.take()
  if (rest.length > 0) yield rest
}

/** The start of an escape at the end of `text`; the rest of the escape is in the next chunk. */
function endOfEscape(text: string): string {
  // The longest is `\u000`. Searching the whole text would halve the throughput.
  return /\\(?:u[0-9a-fA-F]{0,3})?$/.exec(text.slice(-5))?.[0] ?? ''
}

function unescapeBase64(text: string, field: string): string {
  if (!text.includes('\\')) return text
  // Some encoders escape every slash: one native pass for all of them (six times as fast).
  const plain = text.replaceAll('\\/', '/').replace(/\\u00([0-7][0-9a-fA-F])/g, fromHex)
  // Every other escape (and the `\\/` above) stands for a character outside base64.
  if (plain.includes('\\')) throw badEscape(field)
  return plain
}

function fromHex(_escape: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16))
}

function badEscape(field: string): BodyError {
  const reason = 'The text is not valid base64: it contains an escaped character.'
  return new BodyError(field, reason, 'invalid')
}
