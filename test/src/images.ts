import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'

/** A realistic figure: an image, its vector form and its code. */
export interface Sample {
  name: string
  png: Buffer
  svg: Buffer
  code: Buffer
}

/** Real figures from the corpus, or generated ones if the corpus is not available. */
export function samples(count: number): Sample[] {
  const corpus = process.env.FIGBASE_CORPUS ?? beside('../shared/corpus')
  const manifest = join(corpus, 'manifest.json')
  if (!existsSync(manifest)) return Array.from({ length: count }, (_, i) => drawn(i))
  const entries = JSON.parse(readFileSync(manifest, 'utf8')) as ManifestEntry[]
  const complete = entries.flatMap(({ name, image, vector, code }) =>
    image && vector && code ? [{ name, image, vector, code }] : [],
  )
  return complete.slice(0, count).map(({ name, image, vector, code }) => ({
    name,
    png: readFileSync(join(corpus, image)),
    svg: readFileSync(join(corpus, vector)),
    code: readFileSync(join(corpus, code)),
  }))
}

/** A PNG with a gradient, so that it does not compress too well. */
export function png(width: number, height: number, seed = 0): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * (1 + width * 3) + 1 + x * 3
      rows[at] = (x * 255) / width
      rows[at + 1] = (y * 255) / height
      rows[at + 2] = seed % 256
    }
  }
  return pngOf(width, height, rows)
}

/** A PNG from rows of RGB pixels, each with a leading filter byte. */
export function pngOf(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

export function svg(width: number, height: number): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      '<rect width="50%" height="50%" fill="teal"/></svg>',
  )
}

/** Reads the size from the IHDR; throws if it is not a PNG. */
export function pngSize(bytes: Buffer): { width: number; height: number } {
  assert.deepEqual(bytes.subarray(0, 8), PNG_SIGNATURE, 'should have the PNG signature')
  assert.equal(bytes.toString('latin1', 12, 16), 'IHDR', 'the first chunk should be IHDR')
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Images of 48 by 32 pixels in other formats. */
export const TEAL: Record<string, Buffer> = Object.fromEntries(
  Object.entries({
    jpeg:
      '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBk' +
      'eFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj' +
      'Y2NjY2NjY2P/wAARCAAgADADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAA' +
      'AAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAMF/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8A' +
      'iAVYgAAAAAAAAAD/2Q==',
    webp:
      'UklGRkAAAABXRUJQVlA4IDQAAAAQAwCdASowACAAPzmaxluvKyekJWgB4CcJZwAAKUOzSAAA/tDJxHb/195Q7EAp' +
      'L+i9OAAA',
    gif:
      'R0lGODlhMAAgAIAAAExpcRSMeCH5BAUAAAAALAAAAAAwACAAAAImjI+py+0Po5y02ouz3rz7D4biSJbmiabqyrbu' +
      'C8fyTNf2jef6XQAAOw==',
    tiff:
      'SUkqAK4AAACABRGHgAQWDQeEQmFQuGQ2HQ+IRGJROEQKCRSMRmNRuOR2LR2QSGRSOJx+SSeUSmOSaVS2XS+KwOYT' +
      'OaSiWTWcTmMTedT2fQueT+hT+g0OjTii0elS+k0unTaZU+pS2m1OrRuq1etSWo1uvRqs1+xQqw2OzQWy2ex2m1V+' +
      '2W2t2+4Ve5XOp3W7U+8Xml3u+Ue/X+h4HBUSu4W14fEW7FYu443HVeAgEAAAAQMAAQAAADAAAAABAQMAAQAAACAA' +
      'AAACAQMAAwAAAIQBAAADAQMAAQAAAAUAAAAGAQMAAQAAAAIAAAARAQQAAQAAAAgAAAASAQMAAQAAAAEAAAAVAQMA' +
      'AQAAAAMAAAAWAQMAAQAAAAABAAAXAQQAAQAAAKYAAAAaAQUAAQAAAHQBAAAbAQUAAQAAAHwBAAAcAQMAAQAAAAEA' +
      'AAAoAQMAAQAAAAIAAAA9AQMAAQAAAAIAAABTAQMAAwAAAIoBAAAAAAAAMzPLAAAACAAzM8sAAAAIAAgACAAIAAEA' +
      'AQABAA==',
  }).map(([format, text]) => [format, Buffer.from(text, 'base64')]),
)

interface ManifestEntry {
  name: string
  image: string | null
  vector: string | null
  code: string | null
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Resolves a path relative to `test/`; the compiled file is in test/dist/src. */
function beside(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}

function drawn(index: number): Sample {
  return {
    name: `drawn_${index}`,
    png: png(400 + index, 300, index),
    svg: svg(400 + index, 300),
    code: Buffer.from(`plot(${index}) # größer\n`),
  }
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  chunk.set(body, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}
