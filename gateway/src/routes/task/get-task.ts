import { endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { taskSchema, taskShape } from '../../shapes/task.js'

export const getTask = endpoint({
  method: 'GET',
  path: '/tasks/:task_id/',
  since: 'v1.3',
  auth: 'required',
  idempotent: true,
  operationId: 'getTask',
  summary: 'Get a task of the caller',
  description: 'A finished task has a `result` or an `error`.',
  responses: { 200: taskSchema },
  async handle({ params, services, call }) {
    const { task } = await services.tasks.getTask({ id: params.task_id ?? '' }, call)
    return ok(taskShape(required(task)))
  },
})
