import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { defineTaskJob, TaskFailed } from '@figbase/kit/tasks'
import { TimedOut, withDeadline } from '@figbase/kit/timing'
import type { Ctx } from '../context.js'
import { expiredBefore, writeExport } from '../exports/write-export.js'
import { exportStory } from '../job-names.js'
import { findExport } from '../queries/exports.js'

export const exportStoryJob = defineTaskJob(exportStory, {
  timeoutMs: 60 * 60_000,
  concurrencyMax: 4,
  async run(ctx: Ctx, { exportId, basePath }, task) {
    const row = await findExport(ctx.db, exportId, ctx.cfg.exportRetentionMs)
    if (!row) throw expiredBefore()
    const { signal, progress } = task
    let isTimedOut = false
    const write = (deadline: AbortSignal) =>
      writeExport(ctx, row, { signal: deadline, progress }).finally(() => {
        isTimedOut = deadline.reason instanceof TimedOut
      })
    // An earlier attempt may have stored the file without having reported it.
    const file =
      row.size_bytes === null || row.file_name === null
        ? await withDeadline(signal, ctx.cfg.exportTimeoutMs, write).catch((error: unknown) => {
            throw signal.aborted ? error : forUsers(error, isTimedOut)
          })
        : { sizeBytes: Number(row.size_bytes), fileName: row.file_name }
    return {
      url: `${basePath}/story/${row.story_id}/export/${row.id}/`,
      format: row.format,
      file_name: file.fileName,
      size_bytes: file.sizeBytes,
    }
  },
})

/** Errors that another attempt would not remove get a message. */
function forUsers(error: unknown, isTimedOut: boolean): unknown {
  if (isTimedOut) return new TaskFailed('the export took too long')
  if (hasCode(error, Code.NotFound) || hasCode(error, Code.PermissionDenied)) {
    return new TaskFailed('you may not view the story, or a figure was deleted meanwhile')
  }
  return error
}
