import { conflict, notFound, precondition } from '@figbase/kit'

export const unknownTask = () => notFound('this task')
export const taskFinished = () =>
  precondition('task_finished', 'the task succeeded, failed or was cancelled already')
export const duplicateTask = () => conflict('duplicate_task', 'id: somebody else has this task')
