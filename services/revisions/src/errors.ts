import { Code, type ConnectError } from '@connectrpc/connect'
import {
  conflict,
  exhausted,
  failure,
  hasCode,
  invalid,
  precondition,
  type StorageProblem,
  type StorageUnavailable,
  unavailable,
} from '@figbase/kit'
import type { RevisionKind } from './domain/revision-kind.js'
import type { Vendor } from './domain/storage-params.js'

/** The caller named it in the body, so the body is wrong. */
export const parentMissing = ({ parentField }: RevisionKind) =>
  invalid(parentField, 'does not exist')

export const duplicateClientId = () =>
  conflict('duplicate_client_id', 'a revision with this client_id exists')

export const duplicateShortId = () =>
  conflict('duplicate_short_id', 'a revision with this short_id exists')

export const tooManyPrefixes = (max: number) =>
  failure(
    Code.PermissionDenied,
    'max_short_id_prefixes',
    `you have reserved ${max} prefixes, which is the maximum`,
  )

export const tooLarge = (bytesMax: number) =>
  exhausted('too_large', `the data of a revision has at most ${bytesMax} bytes`)

export const tooManyObjects = (objectsMax: number) =>
  invalid('data', `must have at most ${objectsMax} elements`)

export const tooMuchMetadata = (bytesMax: number) =>
  invalid('metadata', `must have at most ${bytesMax} bytes, with that of the data`)

/** 403 that names the limit of the plan. */
export const storageExceeded = (left: bigint) =>
  failure(
    Code.PermissionDenied,
    'max_storage_bytes',
    `the plan has ${left} bytes of storage left, and this is more`,
  )

const storageReasons: Record<StorageProblem, string> = {
  endpoint: 'cannot be reached, or is not an S3 server',
  region: 'is not the region of the bucket',
  bucket: 'cannot be used',
  access_key: 'is unknown, or may not write, read and delete there',
  secret_key: 'does not belong to the access key',
  unknown: 'an object could not be stored, read and deleted',
}
const storageReasonCharsMax = 300

/** What is to be looked at in the settings of a storage. Our own access to AWS is nobody's business. */
export function storageRefused(vendor: Vendor, { problem, message }: StorageUnavailable) {
  if (vendor === 'aws') {
    const reason = problem === 'bucket' ? 'does not exist' : 'is not open to this installation'
    return invalid('params.bucket', reason)
  }
  const field = problem === 'unknown' ? 'params' : `params.${problem}`
  return invalid(field, `${storageReasons[problem]}: ${message.slice(0, storageReasonCharsMax)}`)
}
export const tooManyUploads = (max: number) =>
  exhausted(
    'too_many_uploads',
    `you already have ${max} unused uploads, which is the maximum: use or delete some`,
  )

/** 409: the caller asks where the upload stands, and goes on there. */
export const offsetConflict = (offset: bigint) =>
  precondition('offset_conflict', `the upload has ${offset} bytes: go on from there`)

/** 423 */
export const uploadLocked = () =>
  failure(Code.Aborted, 'upload_locked', 'another request is adding to the upload; try again')

/** To who was silent, and whose place another request wanted. */
export const uploadTakenOver = () =>
  failure(Code.Aborted, 'upload_locked', 'another request has taken over the upload')

export const uploadTooLong = (length: bigint) =>
  exhausted('too_large', `the upload was announced with ${length} bytes, and more came`)

export const tooManySegments = (max: number) =>
  exhausted('too_large', `an upload has at most ${max} pieces: send larger ones`)

export const versionMismatch = () =>
  precondition('version_mismatch', 'the revision was changed since you read it: read it again')

/** Another process took this one for dead and removed what it had staged. */
export const uploadLost = () => unavailable('the upload was interrupted; send it again')

/** Its data was purged while it was derived from. */
export const sourceChanged = () => unavailable('the revision changed meanwhile; try again')

/** What catalog says of the parent during a write, said of the member that named it. */
export function aboutParent(error: unknown, kind: RevisionKind): unknown {
  return hasCode(error, Code.NotFound) ? parentMissing(kind) : error
}

/** Catalog refuses for good: the parent is gone, or the reservation is. */
export function isFinal(error: unknown): error is ConnectError {
  return hasCode(error, Code.NotFound) || hasCode(error, Code.FailedPrecondition)
}

/** It went between the check and the commit. */
const linkedGone = () => invalid('assets', 'one of them was deleted meanwhile')

export const byConstraint = {
  revision_pkey: duplicateClientId,
  revision_short_id_key: duplicateShortId,
  assignment_pkey: duplicateClientId,
  asset_link_asset_fkey: linkedGone,
}
