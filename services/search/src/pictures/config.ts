import type { EnvReader } from '@figbase/kit/config'

/** The settings of picture search; the options of `createPicturePool`. */
export const readPictureConfig = (env: EnvReader) => ({
  pictureConcurrency: env.positiveInt(
    'SEARCH_PICTURE_CONCURRENCY',
    1,
    'how many pictures are described for image search at once, each in a process',
  ),
  pictureTimeoutMs: env.duration(
    'SEARCH_PICTURE_TIMEOUT',
    '20s',
    'timeout for describing one picture',
  ),
  pictureRetryDelayMs: env.duration(
    'SEARCH_PICTURE_RETRY_DELAY',
    '10m',
    'after which time a picture whose description or text recognition timed out is tried once more',
  ),
  picturePixelsMax: env.positiveInt(
    'SEARCH_PICTURE_PIXELS_MAX',
    100_000_000,
    'maximum pixels of a picture that is found or searched for',
  ),
  pictureBytesMax: env.bytes(
    'SEARCH_PICTURE_BYTES_MAX',
    '64MiB',
    'maximum size of a picture that is found or searched for',
  ),
  pictureMemoryBytesMax: env.bytes(
    'SEARCH_PICTURE_MEMORY_BYTES_MAX',
    '1GiB',
    'maximum memory of a process that describes pictures; if it takes more it is killed, and the picture is not found',
  ),
})
