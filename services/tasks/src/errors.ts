import {
  conflict,
  exhausted,
  invalid,
  notFound,
  precondition,
  unavailable,
} from '@figbase/kit/errors'

export const unknownTask = () => notFound('this task')
export const taskFinished = () =>
  precondition('task_finished', 'the task has already succeeded, failed or been cancelled')
export const duplicateTask = () =>
  conflict('duplicate_task', 'id: another user has a task with this id')
export const tooManyStreams = (max: number) =>
  exhausted(
    'too_many_streams',
    `you already have ${max} open event streams, which is the maximum: close one`,
  )
export const streamsFull = () =>
  unavailable('the maximum number of event streams is reached: try again later')
export const unknownWebhook = () => notFound('this webhook or delivery')
export const notAPlace = () => invalid('place_type', 'must be a workspace or an organization')
export const tooManyWebhooks = (max: number) =>
  precondition(
    'too_many_webhooks',
    `there are already ${max} webhooks here, which is the maximum: delete one`,
  )
export const inactiveWebhook = () =>
  precondition('webhook_inactive', 'the webhook is not active: activate it first')
