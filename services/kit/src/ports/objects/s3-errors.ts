import { type StorageProblem, StorageUnavailable } from './port.js'
import { StoreBusy, StoreSilent } from './s3-transport.js'

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

/** The code of an error document, which S3 servers agree on; empty where there was none. */
export function codeOf(error: unknown): string {
  const { name, code, Code } = error as { name?: unknown; code?: unknown; Code?: unknown }
  if (name === 'S3Error') return typeof code === 'string' ? code : ''
  // What minio finds in the body of an answer that began as a success.
  return typeof Code === 'string' ? Code : ''
}

/** Without what else the store's answer said: it may repeat what was signed. */
export function storageUnavailable(error: unknown): StorageUnavailable {
  if (error instanceof StorageUnavailable) return error
  const code = codeOf(error)
  const message = messageOf(error)
  if (code) return new StorageUnavailable(problems[code] ?? 'unknown', `${code}: ${message}`)
  if (isName(error, 'InvalidBucketNameError')) return new StorageUnavailable('bucket', message)
  if (isName(error, 'S3Error') || isName(error, 'InvalidXMLError')) {
    return new StorageUnavailable('endpoint', 'what answers there is no S3 server')
  }
  return new StorageUnavailable('endpoint', message, { cause: error })
}

const passing = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'EAI_AGAIN']

/** Whether the same may succeed a moment later. Silence has taken its time already. */
export function isPassing(error: unknown): boolean {
  if (error instanceof StoreSilent) return false
  if (error instanceof StoreBusy) return true
  return passing.includes(String((error as { code?: unknown }).code))
}

function messageOf(error: unknown) {
  const { message, Message } = error as { message?: unknown; Message?: unknown }
  return String(message || Message || 'it does not say why')
}

const isName = (error: unknown, name: string) => error instanceof Error && error.name === name
