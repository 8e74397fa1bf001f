import { type Task, type TaskLog, TaskStatus } from '@figbase/proto/tasks'
import { z } from 'zod'
import { RawJson } from '../http/json/json-writer.js'
import { datetime, isoOrNull, uuid } from './common.js'

export const taskStatuses = ['PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'REVOKED'] as const

export const shallowTaskSchema = z
  .object({
    task_id: uuid,
    task_name: z.string(),
    task_type: z.string(),
    status: z.enum(taskStatuses),
    progress: z.int().min(0).max(100),
    status_message: z.string().nullable(),
    error: z.string().nullable(),
    created_on: datetime,
    started_on: datetime.nullable(),
    completed_on: datetime.nullable(),
  })
  .meta({ id: 'TaskShallow', description: 'A task in the background, without its result.' })

export const taskSchema = shallowTaskSchema
  .extend({ task_detail: z.unknown(), result: z.unknown() })
  .meta({ id: 'Task', base: 'TaskShallow', description: 'A task in the background.' })

export const taskShape = (task: Task) => ({
  task_id: task.id,
  task_name: task.name,
  task_type: task.type,
  status: TaskStatus[task.status],
  progress: task.progressPercent,
  status_message: task.statusMessage || null,
  task_detail: jsonOrNull(task.detailJson),
  result: jsonOrNull(task.resultJson),
  error: task.error || null,
  created_on: isoOrNull(task.createdOn),
  started_on: isoOrNull(task.startedOn),
  completed_on: isoOrNull(task.completedOn),
})

const jsonOrNull = (text: string) => (text ? new RawJson(text) : null)

export const taskLogSchema = z
  .object({ at: datetime, line: z.string() })
  .meta({ id: 'TaskLogLine', description: 'A line that a task has logged.' })

export const taskLogShape = ({ at, line }: TaskLog) => ({ at: isoOrNull(at), line })
