import { actAs, user } from '@figbase/kit/rpc'
import { TaskFailed } from '@figbase/kit/tasks'
import { RevisionState, type Story } from '@figbase/proto/stories'
import type { Ctx } from '../context.js'
import type { ExportFormatName, ExportRow } from '../db/schema.js'
import { setStored } from '../queries/exports.js'
import { readStory } from '../read-story.js'
import { markdownExport } from './markdown.js'
import { exportKey } from './object-key.js'
import { pdfExport } from './pdf/pdf.js'
import { pptxExport } from './pptx.js'
import { safeName } from './safe-name.js'
import { openSource, type Source } from './source.js'

const callTimeoutMs = 30_000

type Format = {
  extension: string
  make(source: Source, ctx: Ctx, signal: AbortSignal): AsyncIterable<Uint8Array>
}

const formats: Record<ExportFormatName, Format> = {
  markdown: { extension: 'zip', make: markdownExport },
  pptx: {
    extension: 'pptx',
    make: (source, { pptxPool, cfg }, signal) =>
      pptxExport(source, pptxPool, { signal, bytesMax: cfg.exportBytesMax }),
  },
  pdf: { extension: 'pdf', make: pdfExport },
}

type Options = { signal: AbortSignal; progress(percent: number, message: string): void }

/** Stores the file of an export, with what its owner may view at this time. */
export async function writeExport(ctx: Ctx, row: ExportRow, { signal, progress }: Options) {
  const format = formats[row.format]
  const as = { ...actAs(user(row.owner)), timeoutMs: callTimeoutMs, signal }
  const story = await readStory(ctx, row.story_id, as, { seesOpened: false })
  const onSlide = (index: number) =>
    progress(Math.floor((index / story.slides.length) * 95), `slide ${index + 1}`)
  const source = openSource(ctx, story, { as, onSlide })
  let sizeBytes = 0
  const counted = async function* () {
    for await (const chunk of format.make(source, ctx, signal)) {
      signal.throwIfAborted()
      sizeBytes += chunk.length
      if (sizeBytes > ctx.cfg.exportBytesMax) throw tooLarge(ctx.cfg.exportBytesMax)
      yield chunk
    }
  }
  await ctx.objects.put(exportKey(row.id), counted())
  const fileName = `${safeName(story.node?.name ?? '', 'story')}.${format.extension}`
  const file = { id: row.id, sizeBytes, fileName, revisionIds: shownIn(story) }
  if (!(await ctx.write((db) => setStored(db, file)))) {
    await ctx.objects.delete([exportKey(row.id)])
    throw expiredBefore()
  }
  return file
}

const shownIn = ({ revisions }: Story): string[] =>
  revisions.filter(({ state }) => state === RevisionState.VISIBLE).map(({ id }) => id)

export const expiredBefore = () => new TaskFailed('the export expired before it was made')

const tooLarge = (bytesMax: number) =>
  new TaskFailed(`the export would have more than ${bytesMax} bytes, the maximum`)
