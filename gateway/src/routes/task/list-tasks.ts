import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { TaskStatus } from '@figbase/proto/tasks'
import { z } from 'zod'
import { endpoint, type Input, ok } from '../../endpoint.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { taskSchema, taskShape, taskStatuses } from '../../shapes/task.js'
import { iteratePages } from '../pagination.js'
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

const listQuery = z.object({
  status__in: statusQuery,
  created_at__gte: timeQuery,
  created_at__lte: timeQuery,
  completed_at__gte: timeQuery,
  completed_at__lte: timeQuery,
})

export const listTasks = endpoint({
  method: 'GET',
  path: '/tasks/',
  since: 'v1.3',
  auth: 'required',
  idempotent: true,
  operationId: 'listTasks',
  summary: 'List the tasks of the caller',
  description: 'The newest comes first. The bounds of times are inclusive.',
  query: listQuery,
  responses: { 200: z.array(taskSchema) },
  async handle(input) {
    return ok(new JsonArrayStream(await prefetchFirst(listed(input, filtersOf(input.query)))))
  },
})

type Filters = {
  statuses: TaskStatus[]
  createdFrom?: Timestamp
  createdTo?: Timestamp
  completedFrom?: Timestamp
  completedTo?: Timestamp
}

function filtersOf(query: z.output<typeof listQuery>): Filters {
  return {
    statuses: query.status__in ?? [],
    ...(query.created_at__gte && { createdFrom: query.created_at__gte }),
    ...(query.created_at__lte && { createdTo: query.created_at__lte }),
    ...(query.completed_at__gte && { completedFrom: query.completed_at__gte }),
    ...(query.completed_at__lte && { completedTo: query.completed_at__lte }),
  }
}

async function* listed({ services, call }: Pick<Input, 'services' | 'call'>, filters: Filters) {
  const tasks = iteratePages(async (pageToken) => {
    const page = await services.tasks.listTasks({ ...filters, pageToken }, call)
    return { items: page.tasks, nextPageToken: page.nextPageToken }
  })
  for await (const task of tasks) yield taskShape(task)
}
