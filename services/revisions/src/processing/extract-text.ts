import { defineJob } from '@figbase/kit/jobs'
import type { Ctx } from '../context.js'
import { extractText } from '../job-names.js'
import {
  finishTexts,
  listUnread,
  recordTextFailure,
  saveText,
  textBytesOf,
} from '../queries/texts.js'
import { extract } from '../text/extract.js'
import { TextError } from '../text/text-error.js'

/** Extracts the text in the data of a revision, for search. Continues where the previous attempt ended. */
export const extractTextJob = defineJob({
  ...extractText,
  timeoutMs: 10 * 60_000,
  concurrencyMax: 1,
  async run(ctx: Ctx, { revisionId, workspaceId }, signal, attempt) {
    let left = ctx.cfg.textOfRevisionBytesMax - (await textBytesOf(ctx.db, revisionId))
    for (const data of await listUnread(ctx.db, revisionId)) {
      if (left <= 0) break
      signal.throwIfAborted()
      try {
        const found = await extract(ctx, data, signal)
        if (!found) continue
        const bytes = Buffer.byteLength(found.text)
        if (bytes <= left) await ctx.write((db) => saveText(db, data.id, found.source, found.text))
        left -= bytes
      } catch (error) {
        const isLast = attempt >= extractText.attemptsMax && !signal.aborted
        if (!(error instanceof TextError) && !isLast) throw error
        ctx.log.info({ err: error, data: data.id }, 'extracting text from a data object failed')
        const reason = error instanceof TextError ? error.message : 'text extraction failed'
        await ctx.write((db) => recordTextFailure(db, data.id, reason))
      }
    }
    const event = { eventId: ctx.newOrderedId(), workspaceId }
    await ctx.write((db) => finishTexts(db, revisionId, event), { publishes: true })
  },
})
