import type { EnvReader } from '@figbase/kit/config'

export const readPictureConfig = (env: EnvReader) => ({
  pictureConcurrency: env.positiveInt(
    'SEARCH_PICTURE_CONCURRENCY',
    1,
    'processes that describe pictures that are searched for; there is one more for indexing',
  ),
  pictureTimeoutMs: env.duration(
    'SEARCH_PICTURE_TIMEOUT',
    '20s',
    'timeout for describing one picture',
  ),
  picturePixelsMax: env.positiveInt(
    'SEARCH_PICTURE_PIXELS_MAX',
    100_000_000,
    'maximum number of pixels of a picture that is described',
  ),
  pictureBytesMax: env.bytes(
    'SEARCH_PICTURE_BYTES_MAX',
    '64MiB',
    'maximum size of a picture that is described',
  ),
  pictureMemoryBytesMax: env.bytes(
    'SEARCH_PICTURE_MEMORY_BYTES_MAX',
    '1GiB',
    'maximum memory of a process that describes pictures; if it takes more it is killed',
  ),
})
