import type { EnvReader } from '@figbase/kit/config'

export const readOcrConfig = (env: EnvReader) => ({
  isOcrEnabled: env.bool('OCR_ENABLED', true, 'read the text off pictures, so that it is found'),
  ocrConcurrency: env.positiveInt(
    'OCR_CONCURRENCY',
    1,
    'how many pictures are read at once, each in a process',
  ),
  ocrTimeoutMs: env.duration('OCR_TIMEOUT', '60s', 'timeout for reading one picture'),
  ocrMemoryBytesMax: env.bytes(
    'OCR_MEMORY_BYTES_MAX',
    '1GiB',
    'maximum memory of a process that reads pictures; if it takes more it is killed, and the picture is not read',
  ),
  ocrSourcePixelsMax: env.positiveInt(
    'OCR_SOURCE_PIXELS_MAX',
    100_000_000,
    'maximum number of pixels of a picture whose text is read',
  ),
  ocrPixelsMax: env.positiveInt(
    'OCR_PIXELS_MAX',
    4_000_000,
    'to how many pixels a larger picture is reduced before its text is read',
  ),
  ocrConfidenceMin: env.int(
    'OCR_CONFIDENCE_MIN',
    60,
    'words that are recognized with less confidence are dropped, in percent',
  ),
  ocrTextCharsMax: env.positiveInt(
    'OCR_TEXT_CHARS_MAX',
    20_000,
    'maximum recognized text of a picture, in characters',
  ),
})
