/** The task cannot succeed, and its user reads why in `message`; it is not tried again. */
export class TaskFailed extends Error {
  override name = 'TaskFailed'
}

/** The user cancelled the task. */
export class TaskRevoked extends Error {
  override name = 'TaskRevoked'
}
