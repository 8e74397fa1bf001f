import { TaskStatus } from '@figbase/proto/tasks'

export type Status = 'PENDING' | 'STARTED' | 'SUCCESS' | 'FAILURE' | 'REVOKED'

const byWire: Partial<Record<TaskStatus, Status>> = {
  [TaskStatus.PENDING]: 'PENDING',
  [TaskStatus.STARTED]: 'STARTED',
  [TaskStatus.SUCCESS]: 'SUCCESS',
  [TaskStatus.FAILURE]: 'FAILURE',
  [TaskStatus.REVOKED]: 'REVOKED',
}

/** Undefined for one that nobody knows. */
export const statusOf = (status: TaskStatus): Status | undefined => byWire[status]
export const toWire = (status: Status): TaskStatus => TaskStatus[status]

const next: Record<Status, readonly Status[]> = {
  PENDING: ['STARTED', 'SUCCESS', 'FAILURE', 'REVOKED'],
  STARTED: ['SUCCESS', 'FAILURE', 'REVOKED'],
  SUCCESS: [],
  FAILURE: [],
  REVOKED: [],
}

export const statuses: Status[] = ['PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'REVOKED']

export const isFinished = (status: Status): boolean => next[status].length === 0

/** What a report makes of a status: what cannot follow is ignored. */
export const after = (current: Status, reported: Status | undefined): Status =>
  reported && next[current].includes(reported) ? reported : current
