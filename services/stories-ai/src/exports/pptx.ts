import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTemporaryDirectory } from '@figbase/kit/files'
import {
  ChildExited,
  ChildTimedOut,
  createProcessPool,
  type ProcessPool,
} from '@figbase/kit/processes'
import { TaskFailed } from '@figbase/kit/tasks'
import type { Config } from '../config.js'
import type { Figure } from './figure.js'
import type { PptxOptions, PptxReply, PptxRequest, PptxSlide } from './pptx-program.js'
import type { Source } from './source.js'
import { storedSlides } from './stored-slides.js'
import { temporaryPurpose } from './temporary-purpose.js'

export type PptxPool = ProcessPool<PptxRequest, PptxReply>

export const createPptxPool = (cfg: Config): PptxPool => {
  const options: PptxOptions = { memoryBytesMax: cfg.exportMemoryBytesMax }
  const path = fileURLToPath(new URL('./pptx-program.js', import.meta.url))
  return createProcessPool({ path, options, concurrency: 1, timeoutMs: cfg.exportTimeoutMs })
}

/** A PPTX with a slide each. The pictures and the result are files of a temporary directory. */
export async function* pptxExport(
  source: Source,
  pool: PptxPool,
  { signal, bytesMax }: { signal: AbortSignal; bytesMax: number },
): AsyncGenerator<Uint8Array> {
  await using directory = await createTemporaryDirectory(temporaryPurpose)
  const slides = await slidesIn(directory.path, source, bytesMax)
  const file = join(directory.path, 'story.pptx')
  const title = source.story.node?.name ?? ''
  await pool.ask({ title, slides, file }, signal).catch((error: unknown) => {
    throw isLimit(error) ? notMade() : error
  })
  yield* createReadStream(file)
}

async function slidesIn(directory: string, source: Source, bytesMax: number) {
  const slides: PptxSlide[] = []
  const stored = storedSlides(source, { directory, bytesMax, tooMuch })
  for await (const { slide, figure, absence, files } of stored) {
    slides.push({
      content: slide.content,
      absence,
      figure: figure && {
        name: figure.name,
        ...files,
        origin: originOf(figure),
        link: source.linkTo(figure.revisionId),
      },
    })
  }
  return slides
}

function originOf({ name, revisionIndex, revisionId, codeNames, assetIds }: Figure): string[] {
  return [
    `Source: ${name}, revision ${revisionIndex + 1} (${revisionId})`,
    ...(codeNames.length > 0 ? [`Code: ${codeNames.join(', ')}`] : []),
    ...(assetIds.length > 0 ? [`Assets: ${assetIds.join(', ')}`] : []),
  ]
}

const isLimit = (error: unknown) => error instanceof ChildExited || error instanceof ChildTimedOut

const notMade = () =>
  new TaskFailed('the presentation could not be made: it may be too large, or took too long')

const tooMuch = () => new TaskFailed('the pictures are too large for one presentation')
