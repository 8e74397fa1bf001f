import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Figure } from './figure.js'
import type { ExportedSlide, Source } from './source.js'

/** The paths of what a figure has. A drawing may be anything that its author named SVG. */
export type FigureFiles = { picture: string | undefined; drawing: string | undefined }
export type StoredSlide = ExportedSlide & { files: FigureFiles }

type Options = {
  directory: string
  /** Of all files together. */
  bytesMax: number
  tooMuch(): Error
}

const none: FigureFiles = { picture: undefined, drawing: undefined }

/** Writes the pictures of figures into a directory, for programs that read files. */
export async function* storedSlides(
  source: Source,
  { directory, bytesMax, tooMuch }: Options,
): AsyncGenerator<StoredSlide> {
  /** By revision, because several slides may show one. */
  const stored = new Map<string, FigureFiles>()
  let bytesLeft = bytesMax
  const store = async (name: string, bytes: AsyncIterable<Uint8Array>) => {
    const path = join(directory, name)
    const counted = async function* () {
      for await (const chunk of bytes) {
        bytesLeft -= chunk.length
        if (bytesLeft < 0) throw tooMuch()
        yield chunk
      }
    }
    await pipeline(counted, createWriteStream(path))
    return path
  }
  const filesOf = async (figure: Figure): Promise<FigureFiles> => {
    const picture = await figure.openPicture()
    if (!picture) return none
    const drawing = figure.openDrawing()
    const number = stored.size
    return {
      picture: await store(`${number}.${picture.extension}`, picture.bytes),
      drawing: drawing && (await store(`${number}.svg`, drawing)),
    }
  }
  for await (const slide of source.slides()) {
    const { figure } = slide
    const known = figure && (stored.get(figure.revisionId) ?? (await filesOf(figure)))
    if (figure && known) stored.set(figure.revisionId, known)
    yield { ...slide, files: known ?? none }
  }
}
