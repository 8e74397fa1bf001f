import { Code, ConnectError } from '@connectrpc/connect'
import { TaskFailed } from '@figbase/kit/tasks'
import { RulesError } from '../domain/git-rules.js'
import { GitError } from '../git/git-error.js'

const temporaryReasons = ['unreachable', 'timed_out']

/** The failure of the task, if another attempt would not succeed. An unreachable server is tried again. */
export function taskFailureOf(error: unknown, isLast: boolean): TaskFailed | undefined {
  if (error instanceof TaskFailed) return error
  if (error instanceof RulesError) return new TaskFailed(error.message)
  if (!(error instanceof GitError)) return undefined
  return temporaryReasons.includes(error.reason) && !isLast
    ? undefined
    : new TaskFailed(error.message)
}

const finalCodes = [
  Code.InvalidArgument,
  Code.NotFound,
  Code.PermissionDenied,
  Code.FailedPrecondition,
  Code.ResourceExhausted,
]

/** Why one path cannot be imported, whoever tries again. Undefined: another attempt may succeed. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof ConnectError) || !finalCodes.includes(error.code)) return undefined
  const { rawMessage } = error
  return /^(figure|asset|analysis): does not exist$/.test(rawMessage) ||
    error.code === Code.NotFound
    ? 'what was imported for it has been deleted'
    : rawMessage
}
