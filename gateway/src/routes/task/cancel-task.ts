import { endpoint, ok } from '../../endpoint.js'
import { required } from '../../required.js'
import { taskSchema, taskShape } from '../../shapes/task.js'

export const cancelTask = endpoint({
  method: 'POST',
  path: '/tasks/:task_id/cancel/',
  since: 'v1.3',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  operationId: 'cancelTask',
  summary: 'Cancel a task of the caller',
  description: 'The task must not have finished. Its work is stopped.',
  responses: { 200: taskSchema },
  errors: { 400: ['task_finished'] },
  async handle({ params, services, call }) {
    const { task } = await services.tasks.cancelTask({ id: params.task_id ?? '' }, call)
    return ok(taskShape(required(task)))
  },
})
