import { accessSync, constants } from 'node:fs'
import type { EnvReader } from '@figbase/kit/config'
import { readOutboundHosts } from '@figbase/kit/net'
import { readS3Limits, readS3Settings, s3ObjectBytesMax } from '@figbase/kit/objects'
import { readDefaultVendor } from '@figbase/kit/settings'
import type { GitSettings } from './git/git.js'
import type { CustomSettings } from './stores/custom-stores.js'

const readAws = (env: EnvReader) => {
  const aws = {
    endpoint: env.url(
      'FIGBASE_AWS_ENDPOINT',
      '',
      'URL of the S3 server of the storage vendor `aws`, for example `https://host:port`; empty: AWS',
    ),
    region: env.text('FIGBASE_AWS_REGION', 'us-east-1', 'region of that server'),
    accessKey: env.text(
      'FIGBASE_AWS_ACCESS_KEY',
      '',
      'access key for the buckets of users there; empty: the vendor `aws` is not offered',
    ),
    secretKey: env.text('FIGBASE_AWS_SECRET_KEY', '', 'secret key for the access key'),
  }
  if (!aws.accessKey !== !aws.secretKey) {
    env.problems.push('FIGBASE_AWS_ACCESS_KEY and FIGBASE_AWS_SECRET_KEY must be set together')
  }
  if (URL.canParse(aws.endpoint) && new URL(aws.endpoint).pathname !== '/') {
    env.problems.push(`FIGBASE_AWS_ENDPOINT must be a URL without a path, not '${aws.endpoint}'`)
  }
  return aws
}

/** Settings of storage that users bring. */
const readCustomStorage = (env: EnvReader): CustomSettings => ({
  aws: readAws(env),
  own: readS3Settings(env),
  hostsAllowed: readOutboundHosts(env),
  limits: {
    ...readS3Limits(env),
    silenceTimeoutMs: env.duration(
      'STORAGE_IDLE_TIMEOUT',
      '15s',
      'timeout for an answer of a storage of users; must be less than `CALL_TIMEOUT`',
    ),
  },
})

/** Also the maximum size of one object, in any storage. */
function readUploadBytesMax(env: EnvReader) {
  const bytesMax = env.bytes('UPLOAD_BYTES_MAX', '64GiB', 'maximum decoded size of one revision')
  if (bytesMax > s3ObjectBytesMax(readS3Limits(env))) {
    env.problems.push(
      'UPLOAD_BYTES_MAX is too large: S3 allows 10000 parts per object; raise S3_PART_BYTES',
    )
  }
  return bytesMax
}

/** Catalog resolves at most this many figures with one call. */
const aiCandidatesBound = 1000

function readAiCandidatesMax(env: EnvReader) {
  const max = env.int(
    'AUTO_ASSIGN_AI_CANDIDATES_MAX',
    100,
    `how many of the newest of these figures a language model chooses from; 0: none; at most ${aiCandidatesBound}`,
  )
  if (max > aiCandidatesBound) {
    env.problems.push(`AUTO_ASSIGN_AI_CANDIDATES_MAX: must be at most ${aiCandidatesBound}`)
  }
  return max
}

/** The attempt of the task ends later. */
const aiTimeoutMinutesBound = 4

function readAiTimeoutMs(env: EnvReader) {
  const timeoutMs = env.duration(
    'AUTO_ASSIGN_AI_TIMEOUT',
    '2m',
    `how long the choice of a language model may take before names and pictures decide; at most ${aiTimeoutMinutesBound}m`,
  )
  if (timeoutMs > aiTimeoutMinutesBound * 60_000) {
    env.problems.push(`AUTO_ASSIGN_AI_TIMEOUT: must be at most ${aiTimeoutMinutesBound}m`)
  }
  return timeoutMs
}

const readGitImports = (env: EnvReader) => ({
  repositoriesMax: env.positiveInt(
    'GIT_REPOSITORIES_MAX',
    100,
    'maximum Git repositories of a workspace, with those of its analyses',
  ),
  timeoutMs: env.duration('GIT_IMPORT_TIMEOUT', '1h', 'timeout for one import'),
  scheduleMsMin: env.duration(
    'GIT_SCHEDULE_INTERVAL_MIN',
    '15m',
    'minimum time between two scheduled imports of a repository',
  ),
  keptMax: env.positiveInt(
    'GIT_IMPORTS_KEPT_MAX',
    100,
    'how many of the newest imports of a repository are listed',
  ),
})

function readCaFile(env: EnvReader) {
  const path = env.text(
    'GIT_CA_FILE',
    '',
    'PEM file with the certificate authorities of Git servers; empty: those of the system',
  )
  try {
    if (path) accessSync(path, constants.R_OK)
  } catch (error) {
    env.problems.push(`GIT_CA_FILE: cannot be read (${(error as Error).message})`)
  }
  return path
}

/** Git repositories of others, without the hosts that the operator allows. */
const readGit = (env: EnvReader): Omit<GitSettings, 'hostsAllowed'> => ({
  path: env.text('GIT_PATH', '', 'path of the program `git`; empty: found on PATH'),
  caFile: readCaFile(env),
  limits: {
    timeoutMs: env.duration(
      'GIT_TIMEOUT',
      '10m',
      'timeout for fetching a Git repository, and for each step of reading it',
    ),
    receivedBytesMax: env.bytes(
      'GIT_RECEIVED_BYTES_MAX',
      '2GiB',
      'maximum bytes received from a Git server for one repository',
    ),
    diskBytesMax: env.bytes(
      'GIT_DISK_BYTES_MAX',
      '4GiB',
      'maximum bytes of a fetched Git repository in the folder for temporary files',
    ),
    memoryBytesMax: env.bytes(
      'GIT_MEMORY_BYTES_MAX',
      '1GiB',
      'maximum memory of each process of `git`, if `prlimit` is installed',
    ),
    objectsMax: env.int('GIT_OBJECTS_MAX', 1_000_000, 'maximum objects of a Git repository'),
    commitsMax: env.positiveInt(
      'GIT_COMMITS_MAX',
      10_000,
      'how many of the newest commits of a Git repository are read',
    ),
    filesMax: env.int('GIT_FILES_MAX', 50_000, 'maximum files of a Git repository'),
    fileBytesMax: env.bytes(
      'GIT_FILE_BYTES_MAX',
      '256MiB',
      'maximum size of a file of a Git repository; larger ones are left out',
    ),
    pathDepthMax: env.positiveInt(
      'GIT_PATH_DEPTH_MAX',
      50,
      'maximum names in a path of a Git repository; files with more are left out',
    ),
    pathBytesMax: env.int(
      'GIT_PATH_BYTES_MAX',
      1000,
      'maximum length of a path of a Git repository, in bytes; files with longer ones are left out',
    ),
    tagsMax: env.int('GIT_TAGS_MAX', 10_000, 'maximum tags of a Git repository'),
  },
})

export const readConfig = (env: EnvReader) => ({
  objectsMax: env.int('REVISION_OBJECTS_MAX', 10_000, 'maximum data objects of a revision'),
  assetsMax: env.int(
    'REVISION_ASSETS_MAX',
    1000,
    'maximum asset revisions that a figure revision is linked to',
  ),
  uploadBytesMax: readUploadBytesMax(env),
  bufferedBytesMax: env.bytes(
    'UPLOAD_MEMORY_BYTES_MAX',
    '1MiB',
    'bytes of each publication that are buffered in memory until it is accepted; the rest is stored as it comes in; nothing is buffered while COLLECT_GRACE is below 10m',
  ),
  hashThreads: env.int('HASH_THREADS', 2, 'threads that hash objects longer than 512 KiB'),
  segmentBytesMax: env.bytes(
    'UPLOAD_SEGMENT_BYTES_MAX',
    '64MiB',
    'maximum size of a segment of a resumable upload; after a crash, at most one segment is sent again',
  ),
  segmentsMax: env.int(
    'UPLOAD_SEGMENTS_MAX',
    10_000,
    'maximum segments of a resumable upload; each request adds at least one',
  ),
  uploadsOpenMax: env.int(
    'UPLOADS_OPEN_PER_USER_MAX',
    1000,
    'maximum open resumable uploads of a user',
  ),
  uploadTakeoverMs: env.duration(
    'UPLOAD_TAKEOVER_AFTER',
    '2s',
    'how long a request that writes to a resumable upload is still read after another request wants the upload',
  ),
  uploadTakeoverTimeoutMs: env.duration(
    'UPLOAD_TAKEOVER_TIMEOUT',
    '10s',
    'how long a request waits until an earlier one has stored its bytes of the same upload',
  ),
  uploadExpiryMs: env.duration(
    'UPLOAD_EXPIRY',
    '24h',
    'how long a resumable upload is kept after its last bytes were received',
  ),
  dataRetentionMs: env.duration(
    'DATA_RETENTION',
    '30d',
    'how long data can still be read by its id after an update replaced it',
  ),
  collectGraceMs: env.duration(
    'COLLECT_GRACE',
    '1d',
    'how long objects are kept after their last reference is gone',
  ),
  metadataBytesMax: env.bytes(
    'REVISION_METADATA_BYTES_MAX',
    '5MiB',
    'maximum bytes of the metadata and names of a revision and its data, together (they are sent in one message)',
  ),
  metadataDepthMax: env.int('REVISION_METADATA_DEPTH_MAX', 100, 'maximum nesting of metadata'),
  descriptionCharsMax: env.int(
    'DESCRIPTION_CHARS_MAX',
    100_000,
    'maximum length of a description, in characters',
  ),
  shortIdPrefixesMax: env.int(
    'SHORT_ID_PREFIXES_PER_USER_MAX',
    100_000,
    'maximum short id prefixes that a user can reserve',
  ),
  pendingSettleAfterMs: env.duration(
    'PENDING_SETTLE_AFTER',
    '10m',
    'age after which an interrupted creation or update is settled',
  ),
  autoAssignCandidatesMax: env.int(
    'AUTO_ASSIGN_CANDIDATES_MAX',
    1000,
    'how many of the newest figures and revisions of an analysis a new revision is compared with; at most 1000 revisions',
  ),
  autoAssignAiCandidatesMax: readAiCandidatesMax(env),
  autoAssignAiTimeoutMs: readAiTimeoutMs(env),
  imageBytesMax: env.bytes(
    'IMAGE_BYTES_MAX',
    '256MiB',
    'maximum size of an image that gets a thumbnail',
  ),
  imagePixelsMax: env.int(
    'IMAGE_PIXELS_MAX',
    2 ** 27,
    'maximum pixels of an image that gets a thumbnail',
  ),
  imageTimeoutMs: env.duration('IMAGE_TIMEOUT', '30s', 'timeout for processing one image'),
  imageConcurrency: env.positiveInt(
    'IMAGE_CONCURRENCY',
    2,
    'how many images a process reads into memory and decodes concurrently',
  ),
  imagesTriedMax: env.int(
    'IMAGES_TRIED_MAX',
    8,
    'maximum images of a revision that are tried, the best first, until one gives a thumbnail',
  ),
  renderConcurrency: env.int(
    'RENDER_CONCURRENCY',
    2,
    'how many SVG, PDF and EPS images are rendered concurrently, each in a child process',
  ),
  childMemoryBytesMax: env.bytes(
    'RENDER_MEMORY_BYTES_MAX',
    '1GiB',
    'maximum memory of a child process that renders an image or extracts text; if it takes more it is killed, and there is no thumbnail or text',
  ),
  textBytesMax: env.bytes(
    'EXTRACTED_TEXT_BYTES_MAX',
    '1MiB',
    'maximum extracted text of a data object; the rest cannot be searched',
  ),
  textOfRevisionBytesMax: env.bytes(
    'EXTRACTED_TEXT_PER_REVISION_BYTES_MAX',
    '16MiB',
    'maximum extracted text of all data objects of a revision together',
  ),
  textSourceBytesMax: env.bytes(
    'TEXT_SOURCE_BYTES_MAX',
    '64MiB',
    'maximum size of a drawing or document for text extraction, also when decompressed',
  ),
  textTimeoutMs: env.duration(
    'TEXT_TIMEOUT',
    '30s',
    'timeout for extracting text from one data object; a long document is read for half of it',
  ),
  textConcurrency: env.int(
    'TEXT_CONCURRENCY',
    1,
    'how many drawings, documents and tables are read concurrently for text extraction, each in a child process',
  ),
  renderersPath: env.text(
    'RENDERERS_PATH',
    '',
    'folders with pdftocairo and gs, separated by colons; empty: PATH',
  ),
  gitImports: readGitImports(env),
  defaultVendor: readDefaultVendor(env),
  custom: readCustomStorage(env),
  git: readGit(env),
  storageCheckTimeoutMs: env.duration(
    'STORAGE_CHECK_TIMEOUT',
    '5s',
    'timeout for the check that writes, reads and deletes an object in a storage of users',
  ),
  thumbnailCacheBytes: env.bytes(
    'THUMBNAIL_CACHE_BYTES',
    '64MiB',
    'memory for the cache of resized thumbnails',
  ),
})
export type Config = ReturnType<typeof readConfig>
