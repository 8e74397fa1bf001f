import { createReadStream } from 'node:fs'
import { chown } from 'node:fs/promises'
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
import { SlideType } from '@figbase/proto/stories'
import type { Config } from '../../config.js'
import type { Ctx } from '../../context.js'
import type { Figure } from '../figure.js'
import type { Source } from '../source.js'
import { storedSlides } from '../stored-slides.js'
import { temporaryPurpose } from '../temporary-purpose.js'
import { type Chromium, findChromium } from './chromium.js'
import type { Origin } from './document.js'
import type { PdfOptions, PdfReply, PdfRequest } from './pdf-program.js'

/** What makes PDFs; undefined if this server has no Chromium that can be used. */
export type PdfMaker = { chromium: Chromium; pool: ProcessPool<PdfRequest, PdfReply> }

export function createPdfMaker(cfg: Config): PdfMaker | undefined {
  const chromium = findChromium(cfg.chromium)
  if (typeof chromium === 'string') return undefined
  const options: PdfOptions = {
    memoryBytesMax: cfg.exportMemoryBytesMax,
    chromiumBytesMax: cfg.pdfMemoryBytesMax,
    chromium,
    limits: { bytesMax: cfg.exportBytesMax, pagesMax: cfg.pdfPagesMax },
  }
  const path = fileURLToPath(new URL('./pdf-program.js', import.meta.url))
  const { pdfConcurrency: concurrency, exportTimeoutMs: timeoutMs } = cfg
  return { chromium, pool: createProcessPool({ path, options, concurrency, timeoutMs }) }
}

/** A PDF with a page for each slide, or more if it is long. All files are in temporary directories. */
export async function* pdfExport(
  source: Source,
  { pdfMaker, cfg, log }: Ctx,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (!pdfMaker) throw new TaskFailed('this server makes no PDF any more')
  await using directory = await createTemporaryDirectory(temporaryPurpose)
  // The account of Chromium can open this one only.
  await using home = await createTemporaryDirectory(temporaryPurpose)
  const { chromium, pool } = pdfMaker
  if (chromium.account) await chown(home.path, chromium.account.uid, chromium.account.gid)
  const request: PdfRequest = {
    title: source.story.node?.name ?? '',
    slides: await slidesIn(directory.path, source, cfg),
    file: join(directory.path, 'story.pdf'),
    home: home.path,
  }
  const { problem, detail } = await pool.ask(request, signal).catch((error: unknown) => {
    throw error instanceof ChildExited || error instanceof ChildTimedOut ? notMade() : error
  })
  if (problem === 'not started') log.warn({ detail }, 'Chromium did not start')
  if (problem) throw failures[problem](cfg)
  yield* createReadStream(request.file)
}

async function slidesIn(directory: string, source: Source, cfg: Config) {
  const slides: PdfRequest['slides'] = []
  const tooMuch = () => failures.bytesMax(cfg)
  const stored = storedSlides(source, { directory, bytesMax: cfg.exportBytesMax, tooMuch })
  for await (const { slide, figure, absence, files } of stored) {
    slides.push({
      type: SlideType[slide.type].toLowerCase(),
      content: slide.content,
      absence,
      origin: figure && originOf(figure, source),
      files,
    })
  }
  return slides
}

const originOf = (
  { name, revisionIndex, revisionId, codeNames, assetIds }: Figure,
  { linkTo }: Source,
): Origin => ({ name, revisionIndex, revisionId, codeNames, assetIds, link: linkTo(revisionId) })

const failures = {
  'not started': (_: Config) => new TaskFailed('Chromium, which makes the PDF, did not start'),
  bytesMax: ({ exportBytesMax }: Config) =>
    new TaskFailed(`the export would have more than ${exportBytesMax} bytes, the maximum`),
  pagesMax: ({ pdfPagesMax }: Config) =>
    new TaskFailed(`the PDF would have more than ${pdfPagesMax} pages, the maximum`),
}

const notMade = () =>
  new TaskFailed('the PDF could not be made: it may be too large, or took too long')
