import { createReadStream } from 'node:fs'
import { unzipSync } from 'fflate'
import { type ZipFile, zipOf } from './zip.js'

/** Files with a picture. For an SVG, `fallback` is the same picture for programs that cannot show it. */
export type PictureFile = { path: string; fallback?: string }

/**
 * What the library gets in place of a picture, because it would hold all pictures in memory several times. It writes the
 * same bytes into its file, by which `completed` finds them.
 */
export const placeholderOf = (picture: PictureFile): string => {
  const type = picture.fallback ? 'svg+xml' : 'png'
  return `data:image/${type};base64,${Buffer.from(JSON.stringify(picture)).toString('base64')}`
}

const media = 'ppt/media/'

/** The archive that the library made, with the files of the pictures, each of them once. */
export function completed(archive: Uint8Array): AsyncIterable<Uint8Array> {
  const entries = unzipSync(archive)
  const paths = picturesIn(entries)
  const firsts = new Map<string, string>()
  for (const [name, path] of paths) if (!firsts.has(path)) firsts.set(path, name)
  const stored = (name: string) => firsts.get(paths.get(name) ?? '') ?? name
  return zipOf(files())

  async function* files(): AsyncGenerator<ZipFile> {
    for (const [path, bytes] of Object.entries(entries)) {
      const picture = paths.get(path)
      if (picture === undefined) yield { path, bytes: [corrected(path, bytes, stored)] }
      else if (stored(path) === path) yield { path, bytes: createReadStream(picture) }
    }
  }
}

/** The file of each picture by its name in the archive. */
function picturesIn(entries: Record<string, Uint8Array>): Map<string, string> {
  const paths = new Map<string, string>()
  for (const [name, bytes] of Object.entries(entries)) {
    if (!name.startsWith(media) || bytes[0] !== '{'.charCodeAt(0)) continue
    const { path, fallback }: PictureFile = JSON.parse(Buffer.from(bytes).toString())
    paths.set(name, path)
    // The library numbers both one after the other, and gives the first one a picture of its own.
    if (fallback)
      paths.set(
        name.replace(/(\d+)\.svg$/, (_, n) => `${n - 1}.png`),
        fallback,
      )
  }
  return paths
}

function corrected(path: string, bytes: Uint8Array, stored: (name: string) => string): Uint8Array {
  const isSlide = /^ppt\/slides\/slide\d+\.xml$/.test(path)
  if (!isSlide && !path.startsWith('ppt/slides/_rels/')) return bytes
  const xml = Buffer.from(bytes).toString()
  const better = isSlide
    ? xml.replaceAll(repeatedProperties, '')
    : xml.replaceAll(/\.\.\/(media\/[\w.-]+)/g, (_, name) =>
        stored(`ppt/${name}`).replace('ppt', '..'),
      )
  return Buffer.from(better)
}

/**
 * The library repeats the properties of a paragraph before each piece of text; the standard allows them only at the
 * beginning, and LibreOffice takes the last ones, without the bullet.
 */
const repeatedProperties = /(?<!<a:p>)<a:pPr(?:[^>]*[^/])?>.*?<\/a:pPr>/gs
