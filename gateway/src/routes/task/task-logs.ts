import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { uuid } from '../../shapes/common.js'
import { taskLogSchema, taskLogShape } from '../../shapes/task.js'
import { collectPages } from '../pagination.js'

export const taskLogs = endpoint({
  method: 'GET',
  path: '/tasks/:task_id/logs/',
  since: 'v1.3',
  auth: 'required',
  idempotent: true,
  operationId: 'listTaskLogs',
  summary: 'List the lines that a task has logged',
  description: 'The oldest comes first.',
  responses: { 200: z.object({ task_id: uuid, logs: z.array(taskLogSchema) }) },
  async handle({ params, services, call }) {
    const { task_id: id = '' } = params
    const logs = await collectPages(async (pageToken) => {
      const page = await services.tasks.listTaskLogs({ id, pageToken }, call)
      return { items: page.logs, nextPageToken: page.nextPageToken }
    })
    return ok({ task_id: id.toLowerCase(), logs: logs.map(taskLogShape) })
  },
})
