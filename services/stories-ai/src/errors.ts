import { Code, type ConnectError } from '@connectrpc/connect'
import {
  conflict,
  exhausted,
  failure,
  hasCode,
  invalid,
  notFound,
  precondition,
  unavailable,
} from '@figbase/kit/errors'
import { TaskFailed } from '@figbase/kit/tasks'

export const storyNotFound = () => notFound('this story')
export const versionNotFound = () => notFound('this version of the story')
export const duplicateClientId = () =>
  conflict('duplicate_client_id', 'a story with this client_id exists')
export const exportNotFound = () => notFound('this export')
export const exportOutdated = () =>
  conflict(
    'export_outdated',
    'you may not view every figure of this export any more; make a new export',
  )
export const tooManyExports = (max: number) =>
  exhausted(
    'too_many_exports',
    `you have ${max} exports, the maximum; try again when the oldest has expired`,
  )
export const versionMismatch = () =>
  precondition('version_mismatch', 'the story has changed since you read it; read it again')
export const nothingToOpen = () =>
  invalid('revisions_visible_to_readers', 'needs the permission UPDATE on a revision of the story')
export const aiDisabled = () =>
  failure(Code.Unavailable, 'ai_disabled', 'AI is not available in this installation')
export const pdfUnavailable = (storyId: string) =>
  failure(
    Code.Unimplemented,
    'pdf_unavailable',
    `this server makes no PDF; print the page /story/${storyId}/present/ in a browser instead`,
  )
/** Ends the task that writes a story when another one has replaced it. */
export const generationReplaced = () =>
  new TaskFailed('another generation of this story was started')
/** Catalog may have given up the reservation. */
export const reservationTooOld = () => unavailable('the update took too long; try again')

/** A 400 and not a 404, because the request body names the workspace. */
export const aboutWorkspace = (error: unknown): unknown =>
  hasCode(error, Code.NotFound) ? invalid('workspace', 'does not exist') : error

/** Whether retrying is useless: the workspace, the story or the reservation does not exist any more. */
export function isFinal(error: unknown): error is ConnectError {
  return hasCode(error, Code.NotFound) || hasCode(error, Code.FailedPrecondition)
}

export const byConstraint = { story_pkey: duplicateClientId }
