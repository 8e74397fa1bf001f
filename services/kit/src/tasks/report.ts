import { type Timestamp, timestampNow } from '@bufbuild/protobuf/wkt'
import type { ReportTaskResponse, TaskStatus } from '@figbase/proto/tasks'
import type { Logger } from '../log.js'
import { isFinal } from './client.js'

type Line = { at: Timestamp; line: string }

/** A report of a task; absent members are unchanged. */
export type Report = {
  status?: TaskStatus
  progressPercent?: number
  statusMessage?: string
  detailJson?: string
  logs?: Line[]
}

/** The outcome of a task; also stored as JSON. */
export type Outcome = { status: TaskStatus; resultJson?: string; error?: string }

export type Reporter = {
  note(report: Omit<Report, 'status' | 'logs'>): void
  log(text: string): void
  /** Stops sending and returns the unsent report. */
  stop(): Promise<Report>
}

const everyMs = 250
const delayMsMax = 10_000
const linesMax = 500
const lineCharsMax = 2000

/** Collects reports of a job and sends them at most four times a second; keeps them while sending fails. */
export function createReporter(
  send: (report: Report) => Promise<ReportTaskResponse>,
  onRevoked: () => void,
  log: Logger,
): Reporter {
  let pending: Report = {}
  let lines: Line[] = []
  let dropped = 0
  let delayMs = everyMs
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let isStopped = false

  const keep = (all: Line[]) => {
    dropped += Math.max(0, all.length - linesMax)
    lines = all.slice(-linesMax)
  }
  const take = (): Report => {
    const gap = dropped > 0 ? [lineOf(`[${dropped} lines dropped: too many at once]`)] : []
    const report = { ...pending, logs: [...gap, ...lines] }
    pending = {}
    lines = []
    dropped = 0
    return report
  }
  const flush = async (report: Report) => {
    try {
      const { isRevoked } = await send(report)
      delayMs = everyMs
      if (isRevoked) onRevoked()
    } catch (err) {
      if (isFinal(err)) {
        log.error({ err }, 'task report rejected')
        return
      }
      delayMs = Math.min(2 * delayMs, delayMsMax)
      const { logs = [], ...changes } = report
      pending = { ...changes, ...pending }
      keep([...logs, ...lines])
    }
  }
  const schedule = () => {
    if (isStopped || timer || sending) return
    timer = setTimeout(() => {
      timer = undefined
      sending = flush(take()).finally(() => {
        sending = undefined
        if (Object.keys(pending).length > 0 || lines.length > 0) schedule()
      })
    }, delayMs)
  }

  return {
    note(changes) {
      pending = { ...pending, ...changes }
      schedule()
    },
    log(text) {
      keep([
        ...lines,
        ...text
          .replace(/\r?\n$/, '')
          .split(/\r?\n/)
          .map(lineOf),
      ])
      schedule()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await sending
      return take()
    },
  }
}

/** A log line with the current time. */
export const lineOf = (text: string): Line => ({
  at: timestampNow(),
  line: wellFormed(text.slice(0, lineCharsMax)),
})

/** Replaces lone surrogates, which cannot be sent. */
export const wellFormed = (text: string): string => Buffer.from(text).toString()
