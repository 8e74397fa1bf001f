import { endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { taskSchema, taskShape } from '../../shapes/task.js'

export const getTask = endpoint({
  method: 'GET',
  path: '/tasks/:task_id/',
  since: 'v1.3',
  auth: 'required',
  idempotent: true,
  summary: 'Get an own task',
  responses: { 200: taskSchema },
  async handle({ params, services, call }) {
    const { task } = await services.tasks.getTask({ id: params.task_id ?? '' }, call)
    return ok(taskShape(required(task)))
  },
})
