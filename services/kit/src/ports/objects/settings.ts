import type { EnvReader } from '../../config.js'
import { createFileSystemStore } from './file-system.js'
import type { ObjectStore } from './port.js'
import { createS3Store, type S3Limits, type S3Options } from './s3.js'

const partBytesMin = 5 * 2 ** 20
const partBytesMax = 5 * 2 ** 30

/** Of every S3 store, whoever it belongs to. */
export function readS3Limits(env: EnvReader): S3Limits {
  const limits = {
    partBytes: env.bytes(
      'S3_PART_BYTES',
      '8MiB',
      'size of the parts that an object is sent to S3 in, one of which is in memory for each object on its way: 5MiB to 5GiB; S3 takes 10000 parts of an object',
    ),
    attemptsMax: env.int(
      'S3_ATTEMPTS_MAX',
      3,
      'times that a request to S3 is sent at most, when the store is busy or cuts the connection',
    ),
    connectTimeoutMs: env.duration(
      'S3_CONNECT_TIMEOUT',
      '5s',
      'how long an S3 store may take to accept a connection',
    ),
    silenceTimeoutMs: env.duration(
      'S3_SILENCE_TIMEOUT',
      '30s',
      'how long it may be silent when it is its turn',
    ),
    abandonedAfterMs: env.duration(
      'S3_ABANDONED_AFTER',
      '2d',
      'age at which the parts of an object that never became whole are removed from S3, at a start; longer than any upload takes',
    ),
  }
  if (limits.partBytes < partBytesMin || limits.partBytes > partBytesMax) {
    env.problems.push('S3_PART_BYTES: parts have 5MiB to 5GiB')
  }
  return limits
}

/** The installation's own S3 store; undefined: it has none. */
export function readS3Settings(env: EnvReader): S3Options | undefined {
  const options = {
    endpoint: env.url(
      'S3_ENDPOINT',
      '',
      'the S3 server that keeps the objects, as `https://host:port`; empty: they are files',
    ),
    region: env.text('S3_REGION', 'us-east-1', 'its region'),
    bucket: env.text('S3_BUCKET', '', 'the bucket, which is there already'),
    prefix: env.text('S3_PREFIX', '', 'a folder of the bucket that all objects lie in'),
    accessKey: env.text('S3_ACCESS_KEY', '', 'the access key'),
    secretKey: env.text('S3_SECRET_KEY', '', 'the secret key'),
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
    if (!value) env.problems.push(`${name} is required: objects are kept on S3 with all or none`)
  }
  if (URL.canParse(options.endpoint) && new URL(options.endpoint).pathname !== '/') {
    env.problems.push(`S3_ENDPOINT: an address without a path, not '${options.endpoint}'`)
  }
  return options
}

/** Where this installation keeps its objects: on S3, or in a folder. */
export function openObjectStore(s3: S3Options | undefined, folder: string): ObjectStore {
  return s3 ? createS3Store(s3) : createFileSystemStore(folder)
}
