import { Code, type ConnectError } from '@connectrpc/connect'
import {
  conflict,
  exhausted,
  failure,
  hasCode,
  invalid,
  notFound,
  precondition,
  unauthenticated,
  unavailable,
} from '@figbase/kit/errors'
import type { StorageProblem, StorageUnavailable } from '@figbase/kit/objects'
import type { RevisionKind } from './domain/revision-kind.js'
import type { Vendor } from './domain/storage-params.js'

/** A 400 and not a 404, because the request body names the parent. */
export const parentNotFound = ({ parentField }: RevisionKind) =>
  invalid(parentField, 'does not exist')

export const duplicateClientId = () =>
  conflict('duplicate_client_id', 'a revision with this client_id exists')

export const duplicateShortId = () =>
  conflict('duplicate_short_id', 'a revision with this short_id exists')

export const tooManyPrefixes = (max: number) =>
  failure(
    Code.PermissionDenied,
    'max_short_id_prefixes',
    `you have reached the maximum of ${max} reserved prefixes`,
  )

export const tooLarge = (bytesMax: number) =>
  exhausted('too_large', `the data of a revision must have at most ${bytesMax} bytes`)

export const tooManyObjects = (objectsMax: number) =>
  invalid('data', `must have at most ${objectsMax} elements`)

export const tooMuchMetadata = (bytesMax: number) =>
  invalid('metadata', `must have at most ${bytesMax} bytes, including the metadata of the data`)

/** The 403 names the limit of the plan. */
export const storageExceeded = (left: bigint) =>
  failure(
    Code.PermissionDenied,
    'max_storage_bytes',
    `not enough storage: the plan has ${left} bytes left`,
  )

const storageReasons: Record<StorageProblem, string> = {
  endpoint: 'is unreachable, or not an S3 server',
  region: 'is not the region of the bucket',
  bucket: 'does not exist, or is not accessible',
  access_key: 'is unknown, or not allowed to write, read and delete objects',
  secret_key: 'does not match the access key',
  unknown: 'writing, reading and deleting a test object failed',
}
const storageReasonCharsMax = 300

/** Names the setting that is wrong. The installation's own access to AWS is not disclosed. */
export function storageRefused(vendor: Vendor, { problem, message }: StorageUnavailable) {
  if (vendor === 'aws') {
    const reason =
      problem === 'bucket' ? 'does not exist' : 'is not accessible to this installation'
    return invalid('params.bucket', reason)
  }
  const field = problem === 'unknown' ? 'params' : `params.${problem}`
  return invalid(field, `${storageReasons[problem]}: ${message.slice(0, storageReasonCharsMax)}`)
}
export const tooManyUploads = (max: number) =>
  exhausted(
    'too_many_uploads',
    `you have reached the maximum of ${max} open uploads: use or delete some`,
  )

/** 409: the client reads the offset and continues there. */
export const offsetConflict = (offset: bigint) =>
  precondition('offset_conflict', `wrong offset: the upload has ${offset} bytes`)

/** 423 */
export const uploadLocked = () =>
  failure(Code.Aborted, 'upload_locked', 'another request is writing to the upload; try again')

/** For the request that sent nothing while another request wanted the upload. */
export const uploadTakenOver = () =>
  failure(Code.Aborted, 'upload_locked', 'another request has taken over the upload')

export const uploadTooLong = (length: bigint) =>
  exhausted('too_large', `the upload is longer than its declared ${length} bytes`)

export const tooManySegments = (max: number) =>
  exhausted(
    'too_large',
    `too many segments: an upload has at most ${max}; send more bytes with each request`,
  )

export const versionMismatch = () =>
  precondition('version_mismatch', 'the revision has changed since you read it; read it again')

/** Another process regarded this one as dead and removed its staged objects. */
export const uploadLost = () => unavailable('the upload was interrupted; try again')

/** The data was purged while it was being cloned. */
export const sourceChanged = () => unavailable('the revision has changed; try again')

export const unknownRepository = () => notFound('this repository')

export const notATarget = () => invalid('target_type', 'must be an analysis or a workspace')

export const tooManyRepositories = (max: number) =>
  precondition(
    'too_many_repositories',
    `the workspace already has ${max} repositories, which is the maximum: delete one`,
  )

export const pushRefused = () =>
  unauthenticated('invalid_signature', 'the signature of the webhook is missing or wrong')

/** Git is not installed here. */
export const gitUnavailable = () =>
  failure(Code.Unavailable, 'git_unavailable', 'Git is not installed on this server')

/** Reports catalog's `not_found` as a problem of the parent's field. */
export function aboutParent(error: unknown, kind: RevisionKind): unknown {
  return hasCode(error, Code.NotFound) ? parentNotFound(kind) : error
}

/** Whether retrying is useless: the parent or the reservation does not exist any more. */
export function isFinal(error: unknown): error is ConnectError {
  return hasCode(error, Code.NotFound) || hasCode(error, Code.FailedPrecondition)
}

/** The linked revision was deleted between the check and the commit. */
const linkedNotFound = () => invalid('assets', 'one of the linked revisions was deleted')

export const byConstraint = {
  revision_pkey: duplicateClientId,
  revision_short_id_key: duplicateShortId,
  assignment_pkey: duplicateClientId,
  asset_link_asset_fkey: linkedNotFound,
}
