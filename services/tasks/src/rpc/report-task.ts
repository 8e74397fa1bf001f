import type { ServiceImpl } from '@connectrpc/connect'
import { toIso } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { requireSystem } from '@figbase/kit/rpc'
import type { ReportTaskRequest, TasksService } from '@figbase/proto/tasks'
import type { Config } from '../config.js'
import type { Ctx } from '../context.js'
import { taskId } from '../domain/ids.js'
import { checkedJson } from '../domain/json.js'
import { isFinished, nextStatus, statusOf } from '../domain/status.js'
import { toPlainLine } from '../domain/text.js'
import { unknownTask } from '../errors.js'
import { notifyOwner } from '../live/notify.js'
import { insertOfFailedTask } from '../queries/insert-notifications.js'
import { appendLogs, trimLogs } from '../queries/logs.js'
import { lockTask, updateTask } from '../queries/tasks.js'

type Impl = ServiceImpl<typeof TasksService>

/** Long texts are truncated, not rejected: the outcome of a job must not depend on their length. */
export function reportTask(ctx: Ctx): Impl['reportTask'] {
  return async (req, call) => {
    requireSystem(call)
    const id = taskId(req.id)
    const { status, lines, dropped, ...changes } = checked(req, ctx.cfg)
    return ctx.transact(async (tx) => {
      const task = await lockTask(tx, id)
      if (!task) throw unknownTask()
      const isRevoked = task.status === 'REVOKED'
      if (isFinished(task.status)) return { isRevoked, isFinished: true }
      const next = nextStatus(task.status, status)
      await updateTask(tx, id, { ...changes, status: next })
      if (lines.length > 0) {
        await appendLogs(tx, id, lines)
        const { logLinesMax: linesMax, logBytesMax: bytesMax } = ctx.cfg
        await trimLogs(tx, id, { linesMax, bytesMax, dropped })
      }
      if (next === 'FAILURE') {
        await insertOfFailedTask(tx, id)
        ctx.wakeJobs(tx)
      }
      if (isNotified(req)) await notifyOwner(ctx, tx, id)
      return { isRevoked: next === 'REVOKED', isFinished: isFinished(next) }
    })
  }
}

/** Whether the owner is notified: logs and detail alone are read on demand. */
const isNotified = (req: ReportTaskRequest) =>
  req.status !== undefined || req.progressPercent !== undefined || req.statusMessage !== undefined

function checked(req: ReportTaskRequest, cfg: Config) {
  const status = req.status === undefined ? undefined : statusOf(req.status)
  if (req.status !== undefined && !status) throw invalid('status', 'unknown status')
  const text = (value?: string) =>
    value === undefined ? null : toPlainLine(value, cfg.textCharsMax)
  const percent = req.progressPercent
  const newest = req.logs.slice(-cfg.logLinesMax)
  return {
    status,
    progressPercent: percent === undefined ? null : Math.min(100, Math.max(0, percent)),
    statusMessage: text(req.statusMessage),
    detail: checkedJson('detail_json', req.detailJson, cfg.jsonBytesMax),
    result: checkedJson('result_json', req.resultJson, cfg.jsonBytesMax),
    error: text(req.error),
    dropped: req.logs.length - newest.length,
    lines: newest.map(({ at, line }) => ({
      at: at ? toIso(at) : null,
      line: toPlainLine(line, cfg.logLineCharsMax),
    })),
  }
}
