import { defineJob, type Job } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { beginProcessing } from '../queries/processing.js'
import { processData } from './process-data.js'

type Payload = {
  revisionId: string
  workspaceId: string
  /** Of the data without a picture. */
  contentVersion: number
}

/** The picture of a revision whose processing ended without one, because a store did not answer. */
export const drawAgain: Job<Ctx, Payload> = defineJob<Ctx, Payload>({
  name: 'draw-again',
  // About a day.
  attemptsMax: 18,
  timeoutMs: 5 * 60_000,
  priority: 1,
  concurrencyMax: 1,
  async run(ctx, { revisionId, workspaceId, contentVersion }, signal) {
    const begun = await beginProcessing(ctx.db, revisionId, true)
    // It is gone, or its new data is processed by a job of its own.
    if (!begun || begun.content_version !== contentVersion) return
    if (begun.is_processing) throw new Error('the processing has not ended yet')
    await processData(ctx, begun, workspaceId, signal)
  },
})
