import { gunzipSync } from 'node:zlib'
import { SaxesParser } from 'saxes'
import { TextError } from './text-error.js'
import type { TextLimits } from './text-program.js'

const chunkChars = 64 * 1024
const textElements = ['text', 'title', 'desc']
/** Matplotlib draws text as shapes, with the text in a comment. */
const textGroupId = /^text_\d/

/**
 * The text, titles and descriptions of an SVG, one per line. Entities are not replaced and nothing is
 * loaded. A malformed document is read as far as possible.
 */
export function svgText(bytes: Buffer, { textBytesMax, sourceBytesMax }: TextLimits): string {
  const xml = decode(unpack(bytes, sourceBytesMax))
  const lines: string[] = []
  let line = ''
  let length = 0
  let textDepth = 0
  const isInTextGroup: boolean[] = []
  const endLine = () => {
    const words = line.replace(/\s+/g, ' ').trim()
    line = ''
    if (words) lines.push(words)
    length += words.length
  }
  const add = (text: string) => {
    if (textDepth > 0) line += text
  }

  const parser = new SaxesParser()
  parser.on('error', () => {})
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('comment', (text) => {
    if (!isInTextGroup.at(-1)) return
    line = text
    endLine()
  })
  parser.on('opentag', ({ name, attributes }) => {
    isInTextGroup.push(textGroupId.test(attributes.id ?? ''))
    if (textElements.includes(localName(name))) textDepth++
    // A part with its own position is a line of its own.
    else if (textDepth > 0 && attributes.x !== undefined) endLine()
  })
  parser.on('closetag', ({ name }) => {
    isInTextGroup.pop()
    if (!textElements.includes(localName(name))) return
    textDepth--
    endLine()
  })
  for (let at = 0; at < xml.length && length < textBytesMax; at += chunkChars) {
    parser.write(xml.slice(at, at + chunkChars))
  }
  // The text before a truncation counts, too.
  if (length < textBytesMax) parser.close()
  endLine()
  return lines.join('\n')
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

function unpack(bytes: Buffer, bytesMax: number) {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: bytesMax })
  } catch {
    throw new TextError('the drawing is damaged, or too large when decompressed')
  }
}

/** By the byte order mark or the XML declaration. The default is UTF-8. */
function decode(bytes: Buffer) {
  const head = bytes.toString('latin1', 0, 200)
  const declared = /^<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(head)?.[1]
  const encoding = head.startsWith('\xff\xfe')
    ? 'utf-16le'
    : head.startsWith('\xfe\xff')
      ? 'utf-16be'
      : declared
  try {
    return new TextDecoder(encoding ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
