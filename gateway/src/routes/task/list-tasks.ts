import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { TaskStatus } from '@figbase/proto/tasks'
import { z } from 'zod'
import { taskSchema, taskShape, taskStatuses } from '../../shapes/task.js'
import { listEndpoint } from '../list.js'
import { timeQuery } from '../times.js'

const statusQuery = z
  .string()
  .transform((text, ctx) => {
    const words = text.split(',').filter((word) => word !== '')
    const known = words.flatMap((word) => taskStatuses.filter((status) => status === word))
    if (known.length < words.length) {
      ctx.addIssue(`must be a comma-separated list of ${taskStatuses.join(', ')}`)
    }
    return known.map((status) => TaskStatus[status])
  })
  .optional()

const listQuery = {
  status__in: statusQuery,
  created_at__gte: timeQuery,
  created_at__lte: timeQuery,
  completed_at__gte: timeQuery,
  completed_at__lte: timeQuery,
}

export const listTasks = listEndpoint({
  path: '/tasks/',
  since: 'v1.3',
  auth: 'required',
  operationId: 'listTasks',
  summary: 'List the tasks of the caller',
  description: 'The newest comes first. The bounds of times are inclusive.',
  query: listQuery,
  item: taskSchema,
  async readPage({ query, services, call }, page) {
    const request = { ...filtersOf(query), ...page }
    const { tasks, nextPageToken } = await services.tasks.listTasks(request, call)
    return { items: tasks.map(taskShape), nextPageToken }
  },
})

type Filters = {
  statuses: TaskStatus[]
  createdFrom?: Timestamp
  createdTo?: Timestamp
  completedFrom?: Timestamp
  completedTo?: Timestamp
}

function filtersOf(query: z.output<z.ZodObject<typeof listQuery>>): Filters {
  return {
    statuses: query.status__in ?? [],
    ...(query.created_at__gte && { createdFrom: query.created_at__gte }),
    ...(query.created_at__lte && { createdTo: query.created_at__lte }),
    ...(query.completed_at__gte && { completedFrom: query.completed_at__gte }),
    ...(query.completed_at__lte && { completedTo: query.completed_at__lte }),
  }
}
