import type { Executor } from '../db/statement.js'
import type { Logger } from '../log.js'
import type { Kit } from '../service.js'
import { type Tasks, untilAnswered } from './client.js'
import { queuedTask, type TaskName, type TaskRecord } from './define.js'

export type StartTaskOptions = {
  /** What its owner reads. */
  name: string
  /** The username of whoever asked for it. */
  owner: string
  /** Workspaces take turns, however many jobs each has. A UUID. */
  workspaceId?: string
}

/**
 * Enqueues a task in a transaction of `transact`, and answers its id. When `transact` answers, its
 * owner sees it, too.
 */
export type StartTask = <Payload>(
  tx: Executor,
  task: TaskName<Payload>,
  payload: NoInfer<Payload>,
  options: StartTaskOptions,
) => Promise<string>

/** How long `transact` waits for the record; the job opens it otherwise. */
const openMs = 2000

type Needs<DB> = Pick<Kit<DB>, 'transact' | 'enqueue' | 'newId'> & { tasks: Tasks; log: Logger }

/** The record is opened after the commit: so a task without its job cannot be. */
export function startingTasks<DB>(
  kit: Needs<DB>,
): Pick<Kit<DB>, 'transact'> & { startTask: StartTask } {
  const started = new WeakMap<object, TaskRecord[]>()
  const open = async (task: TaskRecord) => {
    try {
      await untilAnswered(() => kit.tasks.open(task), AbortSignal.timeout(openMs))
    } catch (err) {
      kit.log.warn({ err, task: task.id }, 'the record of a task is opened by its job')
    }
  }
  return {
    async startTask(tx, task, payload, { name, owner, workspaceId }) {
      const record = { id: kit.newId(), name, type: task.type, owner }
      const options = { key: record.id, ...(workspaceId && { workspaceId }) }
      await kit.enqueue(tx, queuedTask(task), { task: record, payload }, options)
      started.set(tx, [...(started.get(tx) ?? []), record])
      return record.id
    },
    async transact(work) {
      let committed: object | undefined
      const result = await kit.transact((tx) => {
        committed = tx
        return work(tx)
      })
      await Promise.all(((committed && started.get(committed)) ?? []).map(open))
      return result
    },
  }
}
