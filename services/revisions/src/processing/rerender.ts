import { defineJob } from '@figbase/kit/jobs'
import type { Ctx } from '../context.js'
import { rerender } from '../job-names.js'
import { beginProcessing } from '../queries/processing.js'
import { processData } from './process-data.js'

/** Retries the picture of a revision whose processing ended without one because a store was unavailable. */
export const rerenderJob = defineJob({
  ...rerender,
  timeoutMs: 5 * 60_000,
  concurrencyMax: 1,
  async run(ctx: Ctx, { revisionId, workspaceId, contentVersion }, signal) {
    const input = await beginProcessing(ctx.db, revisionId, true)
    // The revision is gone, or its new data has a job of its own.
    if (!input || input.content_version !== contentVersion) return
    if (input.is_processing) throw new Error('the revision is still being processed')
    await processData(ctx, input, workspaceId, signal)
  },
})
