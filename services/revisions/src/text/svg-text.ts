import { gunzipSync } from 'node:zlib'
import { SaxesParser } from 'saxes'
import { TextError } from './text-error.js'
import type { TextLimits } from './text-program.js'

const chunkChars = 64 * 1024
const shown = ['text', 'title', 'desc']
/** Matplotlib draws its texts as shapes, and says in a comment what they are. */
const drawnText = /^text_\d/

/**
 * What an SVG shows or says of itself, a line each. Entities are not replaced and nothing is loaded; what is
 * not well formed is read as far as it goes.
 */
export function svgText(bytes: Buffer, { textBytesMax, sourceBytesMax }: TextLimits): string {
  const xml = decode(unpack(bytes, sourceBytesMax))
  const lines: string[] = []
  let line = ''
  let length = 0
  let shownDepth = 0
  const isOfDrawnText: boolean[] = []
  const endLine = () => {
    const words = line.replace(/\s+/g, ' ').trim()
    line = ''
    if (words) lines.push(words)
    length += words.length
  }
  const add = (text: string) => {
    if (shownDepth > 0) line += text
  }

  const parser = new SaxesParser()
  parser.on('error', () => {})
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('comment', (text) => {
    if (!isOfDrawnText.at(-1)) return
    line = text
    endLine()
  })
  parser.on('opentag', ({ name, attributes }) => {
    isOfDrawnText.push(drawnText.test(attributes.id ?? ''))
    if (shown.includes(localName(name))) shownDepth++
    // A part that has a place of its own.
    else if (shownDepth > 0 && attributes.x !== undefined) endLine()
  })
  parser.on('closetag', ({ name }) => {
    isOfDrawnText.pop()
    if (!shown.includes(localName(name))) return
    shownDepth--
    endLine()
  })
  for (let at = 0; at < xml.length && length < textBytesMax; at += chunkChars) {
    parser.write(xml.slice(at, at + chunkChars))
  }
  // What was cut off counts, too.
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
    throw new TextError('the drawing is damaged, or unpacks to too much')
  }
}

/** By its byte order mark or its declaration; else UTF-8. */
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
