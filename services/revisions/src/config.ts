import {
  type EnvReader,
  readDefaultVendor,
  readOutboundHosts,
  readS3Limits,
  readS3Settings,
  s3ObjectBytesMax,
} from '@figbase/kit'
import type { CustomSettings } from './stores/custom-stores.js'

const readAws = (env: EnvReader) => {
  const aws = {
    endpoint: env.url(
      'FIGBASE_AWS_ENDPOINT',
      '',
      'the S3 server that the storage vendor `aws` means here, as `https://host:port`; empty: AWS itself',
    ),
    region: env.text('FIGBASE_AWS_REGION', 'us-east-1', 'its region'),
    accessKey: env.text(
      'FIGBASE_AWS_ACCESS_KEY',
      '',
      'the access key to the buckets that users name there; empty: there is no vendor `aws`',
    ),
    secretKey: env.text('FIGBASE_AWS_SECRET_KEY', '', 'its secret key'),
  }
  if (!aws.accessKey !== !aws.secretKey) {
    env.problems.push('FIGBASE_AWS_ACCESS_KEY and FIGBASE_AWS_SECRET_KEY: both or none')
  }
  if (URL.canParse(aws.endpoint) && new URL(aws.endpoint).pathname !== '/') {
    env.problems.push(`FIGBASE_AWS_ENDPOINT: an address without a path, not '${aws.endpoint}'`)
  }
  return aws
}

/** How storage that is not ours is reached. */
const readCustomStorage = (env: EnvReader): CustomSettings => ({
  aws: readAws(env),
  own: readS3Settings(env),
  hostsAllowed: readOutboundHosts(env),
  limits: {
    ...readS3Limits(env),
    silenceTimeoutMs: env.duration(
      'STORAGE_SILENCE_TIMEOUT',
      '15s',
      'how long storage of users may be silent when it is its turn; less than `CALL_TIMEOUT`',
    ),
  },
})

/** Also what one object may have, on whichever storage. */
function readUploadBytesMax(env: EnvReader) {
  const bytesMax = env.bytes('UPLOAD_BYTES_MAX', '64GiB', 'decoded bytes of one revision at most')
  if (bytesMax > s3ObjectBytesMax(readS3Limits(env))) {
    env.problems.push('UPLOAD_BYTES_MAX: S3 takes 10000 parts of an object; raise S3_PART_BYTES')
  }
  return bytesMax
}

export const readConfig = (env: EnvReader) => ({
  objectsMax: env.int('REVISION_OBJECTS_MAX', 10_000, 'data objects that a revision has at most'),
  assetsMax: env.int(
    'REVISION_ASSETS_MAX',
    1000,
    'asset revisions that a figure revision is linked to at most',
  ),
  uploadBytesMax: readUploadBytesMax(env),
  heldBytesMax: env.bytes(
    'UPLOAD_HELD_BYTES_MAX',
    '1MiB',
    'of each publication, what waits in memory until it is accepted, and is stored then; more is stored as it comes; nothing waits while COLLECT_GRACE is below 10m',
  ),
  hashThreads: env.int('HASH_THREADS', 2, 'threads that hash what is longer than 512 KiB'),
  segmentBytesMax: env.bytes(
    'UPLOAD_SEGMENT_BYTES_MAX',
    '64MiB',
    'stored objects that a resumable upload is made of; so much at most is sent again after a crash',
  ),
  segmentsMax: env.int(
    'UPLOAD_SEGMENTS_MAX',
    10_000,
    'stored objects that a resumable upload is made of at most; each request adds one or more',
  ),
  uploadsOpenMax: env.int(
    'UPLOADS_OPEN_PER_USER_MAX',
    1000,
    'resumable uploads that a user has at a time',
  ),
  uploadTakeoverMs: env.duration(
    'UPLOAD_TAKEOVER_AFTER',
    '2s',
    'how long a request that adds to a resumable upload is still read when another asks for the upload',
  ),
  uploadTakeoverTimeoutMs: env.duration(
    'UPLOAD_TAKEOVER_TIMEOUT',
    '10s',
    'how long a request waits for what an earlier one has stored of the same upload',
  ),
  uploadExpiryMs: env.duration(
    'UPLOAD_EXPIRY',
    '24h',
    'how long a resumable upload is kept after its last bytes came',
  ),
  dataRetentionMs: env.duration(
    'DATA_RETENTION',
    '30d',
    'how long data stays readable by its id that an update replaced',
  ),
  collectGraceMs: env.duration(
    'COLLECT_GRACE',
    '1d',
    'how long objects are kept that nothing refers to any more',
  ),
  metadataBytesMax: env.bytes(
    'REVISION_METADATA_BYTES_MAX',
    '5MiB',
    'metadata and names of a revision and its data at most, together (one message holds them)',
  ),
  metadataDepthMax: env.int(
    'REVISION_METADATA_DEPTH_MAX',
    100,
    'levels of nesting in metadata at most',
  ),
  descriptionCharsMax: env.int(
    'DESCRIPTION_CHARS_MAX',
    100_000,
    'characters in a description at most',
  ),
  shortIdPrefixesMax: env.int(
    'SHORT_ID_PREFIXES_PER_USER_MAX',
    100_000,
    'short id prefixes that a user can reserve',
  ),
  pendingSettleAfterMs: env.duration(
    'PENDING_SETTLE_AFTER',
    '10m',
    'age at which a creation or an update that never ended is settled',
  ),
  autoAssignCandidatesMax: env.int(
    'AUTO_ASSIGN_CANDIDATES_MAX',
    1000,
    'newest figures and revisions of an analysis that a new one is compared with; of revisions at most 1000',
  ),
  imageBytesMax: env.bytes(
    'IMAGE_BYTES_MAX',
    '256MiB',
    'largest image that is made a thumbnail of',
  ),
  imagePixelsMax: env.int('IMAGE_PIXELS_MAX', 2 ** 27, 'pixels that an image has at most'),
  imageTimeoutMs: env.duration('IMAGE_TIMEOUT', '30s', 'how long one image is worked on'),
  imagesTriedMax: env.int(
    'IMAGES_TRIED_MAX',
    8,
    'images of a revision that are tried, the best first, until one can be shown',
  ),
  drawingsAtATime: env.int(
    'DRAWINGS_AT_A_TIME',
    2,
    'SVG, PDF and EPS images drawn at a time; each in a process of its own',
  ),
  drawingMemoryBytesMax: env.bytes(
    'DRAWING_MEMORY_BYTES_MAX',
    '1GiB',
    'memory of a process that draws or reads; one that takes more is ended, and its image has no thumbnail or text',
  ),
  textBytesMax: env.bytes(
    'EXTRACTED_TEXT_BYTES_MAX',
    '1MiB',
    'text of a data object that can be searched at most; the rest is left out',
  ),
  textOfRevisionBytesMax: env.bytes(
    'EXTRACTED_TEXT_PER_REVISION_BYTES_MAX',
    '16MiB',
    'the same of all data objects of a revision together',
  ),
  textSourceBytesMax: env.bytes(
    'TEXT_SOURCE_BYTES_MAX',
    '64MiB',
    'largest drawing or document that is read for its text, also unpacked',
  ),
  textTimeoutMs: env.duration(
    'TEXT_TIMEOUT',
    '30s',
    'how long one data object is read for its text; of a long document what is read in half of it counts',
  ),
  textsAtATime: env.int(
    'TEXTS_AT_A_TIME',
    1,
    'drawings, documents and tables read for their text at a time; each in a process of its own',
  ),
  renderersPath: env.text(
    'RENDERERS_PATH',
    '',
    'folders, with a colon between, in which pdftocairo and gs are looked for; empty: those of PATH',
  ),
  defaultVendor: readDefaultVendor(env),
  custom: readCustomStorage(env),
  storageCheckTimeoutMs: env.duration(
    'STORAGE_CHECK_TIMEOUT',
    '5s',
    'how long storing, reading and deleting an object may take where users want their storage',
  ),
  thumbnailCacheBytes: env.bytes('THUMBNAIL_CACHE_BYTES', '64MiB', 'memory for resized thumbnails'),
})
export type Config = ReturnType<typeof readConfig>
