import { create } from '@bufbuild/protobuf'
import { toTimestamp, toTimestampOrNone } from '@figbase/kit/db'
import { TaskLogSchema, TaskSchema } from '@figbase/proto/tasks'
import type { TaskRow } from './db/schema.js'
import { toWire } from './domain/status.js'
import type { LogRow } from './queries/logs.js'

export const toTask = (row: TaskRow) =>
  create(TaskSchema, {
    id: row.id,
    name: row.name,
    type: row.type,
    status: toWire(row.status),
    progressPercent: row.progress_percent,
    statusMessage: row.status_message ?? '',
    detailJson: row.detail ?? '',
    resultJson: row.result ?? '',
    error: row.error ?? '',
    createdOn: toTimestamp(row.created_on),
    startedOn: toTimestampOrNone(row.started_on),
    completedOn: toTimestampOrNone(row.completed_on),
  })

export const toLog = ({ created_on, line }: Pick<LogRow, 'created_on' | 'line'>) =>
  create(TaskLogSchema, { at: toTimestamp(created_on), line })
