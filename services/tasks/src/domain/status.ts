import { TaskStatus } from '@figbase/proto/tasks'

export type Status = 'PENDING' | 'STARTED' | 'SUCCESS' | 'FAILURE' | 'REVOKED'

const byWire: Partial<Record<TaskStatus, Status>> = {
  [TaskStatus.PENDING]: 'PENDING',
  [TaskStatus.STARTED]: 'STARTED',
  [TaskStatus.SUCCESS]: 'SUCCESS',
  [TaskStatus.FAILURE]: 'FAILURE',
  [TaskStatus.REVOKED]: 'REVOKED',
}

/** Undefined for an unknown status. */
export const statusOf = (status: TaskStatus): Status | undefined => byWire[status]
export const toWire = (status: Status): TaskStatus => TaskStatus[status]

const transitions: Record<Status, readonly Status[]> = {
  PENDING: ['STARTED', 'SUCCESS', 'FAILURE', 'REVOKED'],
  STARTED: ['SUCCESS', 'FAILURE', 'REVOKED'],
  SUCCESS: [],
  FAILURE: [],
  REVOKED: [],
}

export const statuses: Status[] = ['PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'REVOKED']

export const isFinished = (status: Status): boolean => transitions[status].length === 0

/** The status after a report; invalid transitions are ignored. */
export const nextStatus = (current: Status, reported: Status | undefined): Status =>
  reported && transitions[current].includes(reported) ? reported : current
