import { conflict, exhausted, notFound, precondition, unavailable } from '@figbase/kit'

export const unknownTask = () => notFound('this task')
export const taskFinished = () =>
  precondition('task_finished', 'the task succeeded, failed or was cancelled already')
export const duplicateTask = () => conflict('duplicate_task', 'id: somebody else has this task')
export const tooManyStreams = (max: number) =>
  exhausted(
    'too_many_streams',
    `you follow events ${max} times already, which is the most: end one`,
  )
export const streamsFull = () =>
  unavailable('too many follow events at the moment: try again later')
