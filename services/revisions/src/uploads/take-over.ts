import { setTimeout as sleep } from 'node:timers/promises'
import { Code, ConnectError } from '@connectrpc/connect'
import type { Ctx } from '../context.js'
import {
  findWithAppend,
  type ResumableUpload,
  releaseAppend,
  releaseLost,
} from '../queries/resumable-uploads.js'
import { uploadNotFound } from './begin.js'

/** Notifies all processes that a request wants an upload that a call appends to. */
export const takeoverSubject = 'revisions.upload.wanted'

const pollMs = 50

/**
 * Ends the call that appends to an upload, in whichever process it is. The newer request wins, because a
 * broken connection may look alive for long. Returns the upload with all bytes that the call had stored. A
 * call that does not end in time cannot add anything any more.
 */
export async function takeOver(
  ctx: Ctx,
  upload: ResumableUpload,
  signal: AbortSignal,
): Promise<ResumableUpload> {
  const { id, append_id: appendId } = upload
  if (appendId === null) return upload
  requestTakeover(ctx, id, appendId)
  await ctx.broadcast(takeoverSubject, `${id} ${appendId}`).catch((err: unknown) => {
    ctx.log.warn({ err, upload: id }, 'broadcasting the upload takeover failed')
  })
  const until = performance.now() + ctx.cfg.uploadTakeoverTimeoutMs
  for (;;) {
    const now = await findWithAppend(ctx.db, id, ctx.appends.appender())
    if (!now) throw uploadNotFound()
    if (now.append_id !== appendId) return now
    if (now.is_idle || performance.now() > until) {
      const released = await ctx.write((db) => releaseAppend(db, id, appendId))
      if (released) return released
    }
    await sleep(pollMs)
    if (signal.aborted) throw ConnectError.from(signal.reason, Code.Canceled)
  }
}

/** Handles a message of `takeoverSubject`. Messages of older versions are ignored. */
export function onTakeoverRequest(ctx: Ctx, message: unknown): void {
  const [uploadId, appendId] = String(message).split(' ')
  if (uploadId && appendId) requestTakeover(ctx, uploadId, appendId)
}

function requestTakeover(ctx: Ctx, uploadId: string, appendId: string) {
  if (ctx.appends.requestTakeover(appendId)) return
  releaseLost(ctx.db, uploadId, appendId, ctx.stagingProcess.number).catch((err: unknown) => {
    ctx.log.warn({ err, upload: uploadId }, 'releasing an interrupted append failed')
  })
}
