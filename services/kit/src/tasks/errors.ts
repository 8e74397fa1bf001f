/** The task cannot succeed and is not retried; `message` is shown to its user. */
export class TaskFailed extends Error {
  override name = 'TaskFailed'
}

/** The user cancelled the task. */
export class TaskRevoked extends Error {
  override name = 'TaskRevoked'
}
