import { type EnvReader, readDefaultVendor } from '@figbase/kit'

export const readConfig = (env: EnvReader) => ({
  databaseUrl: env.required('DATABASE_URL', 'the PostgreSQL database, as postgres://…'),
  objectsMax: env.int('REVISION_OBJECTS_MAX', 10_000, 'data objects that a revision has at most'),
  assetsMax: env.int(
    'REVISION_ASSETS_MAX',
    1000,
    'asset revisions that a figure revision is linked to at most',
  ),
  uploadBytesMax: env.bytes('UPLOAD_BYTES_MAX', '64GiB', 'decoded bytes of one revision at most'),
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
  uploadSilenceMs: env.duration(
    'UPLOAD_TAKEOVER_AFTER',
    '2s',
    'silence after which a request that adds to a resumable upload gives way to another',
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
    'memory of such a process; one that takes more is ended, and its image has no thumbnail',
  ),
  renderersPath: env.text(
    'RENDERERS_PATH',
    '',
    'folders, with a colon between, in which pdftocairo and gs are looked for; empty: those of PATH',
  ),
  defaultVendor: readDefaultVendor(env),
  thumbnailCacheBytes: env.bytes('THUMBNAIL_CACHE_BYTES', '64MiB', 'memory for resized thumbnails'),
})
export type Config = ReturnType<typeof readConfig>
