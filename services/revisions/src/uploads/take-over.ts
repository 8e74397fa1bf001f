import { setTimeout as sleep } from 'node:timers/promises'
import { Code, ConnectError } from '@connectrpc/connect'
import type { Ctx } from '../context.js'
import {
  findAppended,
  type ResumableUpload,
  releaseAppend,
  releaseLost,
} from '../queries/resumable-uploads.js'
import { uploadMissing } from './begin.js'

/** Tells all processes that a request asks for an upload to which a call adds. */
export const wantedSubject = 'revisions.upload.wanted'

const pollMs = 50

/**
 * Ends the call that adds to an upload, in whichever process it is: the newer request wins, since a connection that
 * broke may look alive for long. Answers the upload as it is when all that the call had stored is counted in; a call
 * that does not end in time adds nothing any more.
 */
export async function takeOver(
  ctx: Ctx,
  upload: ResumableUpload,
  signal: AbortSignal,
): Promise<ResumableUpload> {
  const { id, append_id: appendId } = upload
  if (appendId === null) return upload
  giveWay(ctx, id, appendId)
  await ctx.broadcast(wantedSubject, `${id} ${appendId}`).catch((err: unknown) => {
    ctx.log.warn({ err, upload: id }, 'the call that adds to an upload was not told to end')
  })
  const until = performance.now() + ctx.cfg.uploadTakeoverTimeoutMs
  for (;;) {
    const now = await findAppended(ctx.db, id, ctx.appending.appender())
    if (!now) throw uploadMissing()
    if (now.append_id !== appendId) return now
    if (now.is_idle || performance.now() > until) {
      const released = await ctx.write((db) => releaseAppend(db, id, appendId))
      if (released) return released
    }
    await sleep(pollMs)
    if (signal.aborted) throw ConnectError.from(signal.reason, Code.Canceled)
  }
}

/** What a broadcast of `wantedSubject` asks for; those of older versions ask for nothing. */
export function hearWanted(ctx: Ctx, message: unknown): void {
  const [uploadId, appendId] = String(message).split(' ')
  if (uploadId && appendId) giveWay(ctx, uploadId, appendId)
}

function giveWay(ctx: Ctx, uploadId: string, appendId: string) {
  if (ctx.appending.giveWay(appendId)) return
  releaseLost(ctx.db, uploadId, appendId, ctx.instance.number).catch((err: unknown) => {
    ctx.log.warn({ err, upload: uploadId }, 'an upload stays taken')
  })
}
