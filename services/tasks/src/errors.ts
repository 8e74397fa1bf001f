import { conflict, exhausted, notFound, precondition, unavailable } from '@figbase/kit'

export const unknownTask = () => notFound('this task')
export const taskFinished = () =>
  precondition('task_finished', 'the task succeeded, failed or was cancelled already')
export const duplicateTask = () =>
  conflict('duplicate_task', 'id: another user has a task with this id')
export const tooManyStreams = (max: number) =>
  exhausted(
    'too_many_streams',
    `you already follow ${max} event streams, which is the maximum: end one`,
  )
export const streamsFull = () =>
  unavailable('the maximum number of event streams is open: try again later')
