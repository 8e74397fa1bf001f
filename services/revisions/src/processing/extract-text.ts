import { defineJob } from '@figbase/kit/jobs'
import type { Ctx } from '../context.js'
import { extractText } from '../job-names.js'
import {
  type FoundText,
  finishTexts,
  listUnread,
  recordTextFailure,
  saveTexts,
  textBytesOf,
  type UnreadData,
} from '../queries/texts.js'
import { extract } from '../text/extract.js'
import { TextError } from '../text/text-error.js'

/** What a turn reads at most; then other workspaces have theirs, so that nobody waits for a revision with much data. */
const turnMs = 1000
const turnObjectsMax = 200

/** Extracts the text in the data of a revision, for search. Continues where the previous attempt ended. */
export const extractTextJob = defineJob({
  ...extractText,
  timeoutMs: 10 * 60_000,
  concurrencyMax: 1,
  async run(ctx: Ctx, { revisionId, workspaceId, after = -1 }, signal, attempt) {
    const end = performance.now() + turnMs
    const isLast = attempt >= extractText.attemptsMax
    let left = ctx.cfg.textOfRevisionBytesMax - (await textBytesOf(ctx.db, revisionId))
    const unread = await listUnread(ctx.db, revisionId, after, turnObjectsMax)
    const found: FoundText[] = []
    let read = 0
    for (const data of unread) {
      if (left <= 0 || (read > 0 && performance.now() > end)) break
      signal.throwIfAborted()
      const text = await extractOrRecord(ctx, data, signal, isLast)
      read++
      if (!text) continue
      const bytes = Buffer.byteLength(text.text)
      if (bytes <= left) found.push({ dataId: data.id, ...text })
      left -= bytes
    }
    if (found.length > 0) await ctx.write((db) => saveTexts(db, found))
    const hasMore = left > 0 && (read < unread.length || unread.length === turnObjectsMax)
    if (hasMore) return { rest: { revisionId, workspaceId, after: unread[read - 1]?.position } }
    const event = { eventId: ctx.newOrderedId(), workspaceId }
    await ctx.write((db) => finishTexts(db, revisionId, event), { publishes: true })
    return undefined
  },
})

/** Undefined without text, or if it cannot be extracted, which is then recorded. */
async function extractOrRecord(ctx: Ctx, data: UnreadData, signal: AbortSignal, isLast: boolean) {
  try {
    return await extract(ctx, data, signal)
  } catch (error) {
    if (!(error instanceof TextError) && (!isLast || signal.aborted)) throw error
    ctx.log.info({ err: error, data: data.id }, 'extracting text from a data object failed')
    const reason = error instanceof TextError ? error.message : 'text extraction failed'
    await ctx.write((db) => recordTextFailure(db, data.id, reason))
    return undefined
  }
}
