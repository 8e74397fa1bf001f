import type { EnvReader } from '../config/config.js'
import { createFileSystemStore } from './file-system.js'
import type { ObjectStore } from './port.js'
import { createS3Store, type S3Limits, type S3Options } from './s3.js'

const partBytesMin = 5 * 2 ** 20
const partBytesMax = 5 * 2 ** 30

/** Limits for all S3 stores, including users' own. */
export function readS3Limits(env: EnvReader): S3Limits {
  const limits = {
    partBytes: env.bytes(
      'S3_PART_BYTES',
      '8MiB',
      'part size of uploads to S3, 5MiB to 5GiB; one part per upload is held in memory, and S3 allows 10000 parts per object',
    ),
    attemptsMax: env.int(
      'S3_ATTEMPTS_MAX',
      3,
      'maximum attempts per S3 request if the store is busy or closes the connection',
    ),
    connectTimeoutMs: env.duration(
      'S3_CONNECT_TIMEOUT',
      '5s',
      'timeout for connecting to an S3 store',
    ),
    silenceTimeoutMs: env.duration(
      'S3_IDLE_TIMEOUT',
      '30s',
      'timeout for an S3 store to send or accept data',
    ),
    abandonedAfterMs: env.duration(
      'S3_ABANDONED_AFTER',
      '2d',
      'age at which incomplete multipart uploads are removed from S3 at startup; must be longer than any upload takes',
    ),
  }
  if (limits.partBytes < partBytesMin || limits.partBytes > partBytesMax) {
    env.problems.push('S3_PART_BYTES: must be between 5MiB and 5GiB')
  }
  return limits
}

/** The installation's own S3 store; undefined if not configured. */
export function readS3Settings(env: EnvReader): S3Options | undefined {
  const options = {
    endpoint: env.url(
      'S3_ENDPOINT',
      '',
      'URL of the S3 server that stores the objects, as `https://host:port`; empty: objects are files',
    ),
    region: env.text('S3_REGION', 'us-east-1', 'S3 region'),
    bucket: env.text('S3_BUCKET', '', 'S3 bucket, which must exist'),
    prefix: env.text('S3_PREFIX', '', 'key prefix (folder) of all objects in the bucket'),
    accessKey: env.text('S3_ACCESS_KEY', '', 'S3 access key'),
    secretKey: env.text('S3_SECRET_KEY', '', 'S3 secret key'),
    ...readS3Limits(env),
  }
  const needed = {
    S3_ENDPOINT: options.endpoint,
    S3_BUCKET: options.bucket,
    S3_ACCESS_KEY: options.accessKey,
    S3_SECRET_KEY: options.secretKey,
  }
  if (Object.values(needed).every((value) => !value)) return undefined
  for (const [name, value] of Object.entries(needed)) {
    if (!value) env.problems.push(`${name} is required: set all or none of the settings for S3`)
  }
  if (URL.canParse(options.endpoint) && new URL(options.endpoint).pathname !== '/') {
    env.problems.push(`S3_ENDPOINT: must be a URL without a path, not '${options.endpoint}'`)
  }
  return options
}

/** The installation's object store: S3 or a directory. */
export function openObjectStore(s3: S3Options | undefined, folder: string): ObjectStore {
  return s3 ? createS3Store(s3) : createFileSystemStore(folder)
}
