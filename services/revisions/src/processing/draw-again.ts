import { defineJob } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { drawAgain } from '../job-names.js'
import { beginProcessing } from '../queries/processing.js'
import { processData } from './process-data.js'

/** The picture of a revision whose processing ended without one, because a store did not answer. */
export const drawAgainJob = defineJob({
  ...drawAgain,
  timeoutMs: 5 * 60_000,
  concurrencyMax: 1,
  async run(ctx: Ctx, { revisionId, workspaceId, contentVersion }, signal) {
    const begun = await beginProcessing(ctx.db, revisionId, true)
    // It is gone, or its new data is processed by a job of its own.
    if (!begun || begun.content_version !== contentVersion) return
    if (begun.is_processing) throw new Error('the processing has not ended yet')
    await processData(ctx, begun, workspaceId, signal)
  },
})
