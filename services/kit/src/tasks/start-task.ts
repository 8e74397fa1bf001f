import type { Executor } from '../db/statement.js'
import type { Logger } from '../log.js'
import type { Kit } from '../service/service.js'
import { type Tasks, withRetries } from './client.js'
import { queuedTask, type TaskName, type TaskRecord } from './define.js'

export type StartTaskOptions = {
  /** Shown to its owner. */
  name: string
  /** Username. */
  owner: string
  /** UUID of the workspace; workspaces take turns, however many jobs each has. */
  workspaceId?: string
}

/**
 * Enqueues a task in a transaction of `transact` and returns its id. The task is visible to its owner when `transact`
 * has resolved.
 */
export type StartTask = <Payload>(
  tx: Executor,
  task: TaskName<Payload>,
  payload: NoInfer<Payload>,
  options: StartTaskOptions,
) => Promise<string>

/** How long `transact` waits for the record to be opened; the job opens it otherwise. */
const openMs = 2000

type StartTaskKit<DB> = Pick<Kit<DB>, 'transact' | 'enqueue' | 'newId'> & {
  tasks: Tasks
  log: Logger
}

/** Opens the record after the commit, so that there is no task without a job. */
export function startingTasks<DB>(
  kit: StartTaskKit<DB>,
): Pick<Kit<DB>, 'transact'> & { startTask: StartTask } {
  const started = new WeakMap<object, TaskRecord[]>()
  const open = async (task: TaskRecord) => {
    try {
      await withRetries(() => kit.tasks.open(task), AbortSignal.timeout(openMs))
    } catch (err) {
      kit.log.warn({ err, task: task.id }, 'opening the task record failed; its job will open it')
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
