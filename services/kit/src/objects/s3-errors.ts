import { type StorageProblem, StorageUnavailable } from './port.js'
import { StoreBusy, StoreTimedOut } from './s3-transport.js'

const problems: Record<string, StorageProblem> = {
  NoSuchBucket: 'bucket',
  InvalidBucketName: 'bucket',
  InvalidAccessKeyId: 'access_key',
  AccessDenied: 'access_key',
  AllAccessDisabled: 'access_key',
  SignatureDoesNotMatch: 'secret_key',
  AuthorizationHeaderMalformed: 'region',
  IllegalLocationConstraintException: 'region',
  MovedPermanently: 'region',
  PermanentRedirect: 'region',
  TemporaryRedirect: 'region',
}

/** The standard S3 error code of an error document; empty without one. */
export function codeOf(error: unknown): string {
  const { name, code, Code } = error as { name?: unknown; code?: unknown; Code?: unknown }
  if (name === 'S3Error') return typeof code === 'string' ? code : ''
  // Set by minio for an error in the body of a response with a success status.
  return typeof Code === 'string' ? Code : ''
}

/** Contains only code and message of the store's response, because the rest may repeat signed data. */
export function storageUnavailable(error: unknown): StorageUnavailable {
  if (error instanceof StorageUnavailable) return error
  const code = codeOf(error)
  const message = messageOf(error)
  if (code) return new StorageUnavailable(problems[code] ?? 'unknown', `${code}: ${message}`)
  if (isName(error, 'InvalidBucketNameError')) return new StorageUnavailable('bucket', message)
  if (isName(error, 'S3Error') || isName(error, 'InvalidXMLError')) {
    return new StorageUnavailable('endpoint', 'not an S3 server')
  }
  return new StorageUnavailable('endpoint', message, { cause: error })
}

const transientCodes = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'EAI_AGAIN']

/** Whether a retry may succeed. Not after a timeout, which has taken its time already. */
export function isTransient(error: unknown): boolean {
  if (error instanceof StoreTimedOut) return false
  if (error instanceof StoreBusy) return true
  return transientCodes.includes(String((error as { code?: unknown }).code))
}

function messageOf(error: unknown) {
  const { message, Message } = error as { message?: unknown; Message?: unknown }
  return String(message || Message || 'no message')
}

const isName = (error: unknown, name: string) => error instanceof Error && error.name === name
