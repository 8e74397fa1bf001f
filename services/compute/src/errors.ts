import { Code } from '@connectrpc/connect'
import { exhausted, failure, invalid, notFound, precondition } from '@figbase/kit/errors'

export const instanceNotFound = () => notFound('this instance')
/** Why nothing can be launched in this installation. */
export const computeUnavailable = (reason: string) =>
  failure(Code.Unavailable, 'compute_unavailable', reason)
export const allowanceExhausted = (seconds: bigint) =>
  exhausted(
    'allowance_exhausted',
    `the plan allows ${seconds} seconds of compute in a month, and they are used up`,
  )
export const tierUnavailable = (tier: string) =>
  precondition('tier_unavailable', `there is no tier ${tier} any more: change the tier`)
/** Only the owner may connect to an instance. */
export const notOwner = () =>
  failure(Code.PermissionDenied, 'permission_denied', 'only the owner may open this notebook')
export const instanceNotRunning = () =>
  precondition('instance_not_running', 'the instance is not running: start it first')
export const instanceStopping = () =>
  precondition('instance_stopping', 'the instance is stopping: start it when it has stopped')
export const instanceTerminated = () =>
  precondition('instance_terminated', 'the instance was terminated')
export const instanceNotStopped = () =>
  precondition('instance_not_stopped', 'stop the instance first')
export const unknownTier = (field: string, ids: string[]) =>
  invalid(field, `must be one of ${ids.join(', ')}`)
/** `terminated`: how many of them are kept only for their files. */
export const tooManyInstances = (max: number, terminated: number) =>
  precondition(
    'too_many_instances',
    terminated > 0
      ? `the workspace has ${max} instances, which is the maximum; terminated ones (${terminated}) count until ` +
          'their files are deleted'
      : `the workspace has ${max} instances, which is the maximum: terminate one first`,
  )
export const planLimit = (
  limit: 'compute_enabled' | 'compute_max_running_instances',
  message: string,
) => failure(Code.PermissionDenied, limit, message)
