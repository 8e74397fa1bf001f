import type { EnvReader } from '@figbase/kit/config'
import { readEmbedderConfig } from './embedding/config.js'
import { readTypesenseSettings } from './engine/typesense/settings.js'
import { readFigureTextLimits } from './figure-text/config.js'
import { readOcrConfig } from './ocr/config.js'
import { readPictureConfig } from './pictures/config.js'
import { readSimilarConfig } from './similar/config.js'
import { readVectorConfig } from './vectors/config.js'

export const readConfig = (env: EnvReader) => ({
  embedding: readEmbedderConfig(env),
  figureText: readFigureTextLimits(env),
  ocr: readOcrConfig(env),
  pictures: readPictureConfig(env),
  vectors: readVectorConfig(env),
  similar: readSimilarConfig(env),
  resultsMax: env.positiveInt(
    'SEARCH_RESULTS_MAX',
    100,
    'maximum results of a search; a larger `k` is reduced to it',
  ),
  queryCharsMax: env.positiveInt(
    'SEARCH_QUERY_CHARS_MAX',
    1000,
    'maximum length of a query, in characters',
  ),
  metadataMax: env.positiveInt(
    'SEARCH_METADATA_MAX',
    10,
    'maximum values of metadata in a search; at most 90',
  ),
  imageBytesMax: env.bytes(
    'SEARCH_IMAGE_BYTES_MAX',
    '6MiB',
    'maximum decoded size of a picture that is searched for; at most 7MiB',
  ),
  searchesPerMinuteMax: env.positiveInt(
    'SEARCHES_PER_MINUTE_MAX',
    600,
    'maximum searches of a user in a minute',
  ),
  imageSearchesPerMinuteMax: env.positiveInt(
    'IMAGE_SEARCHES_PER_MINUTE_MAX',
    60,
    'maximum searches for a picture of a user in a minute',
  ),
  fieldCharsMax: env.positiveInt(
    'SEARCH_FIELD_CHARS_MAX',
    100_000,
    'how many characters of each field of an object are indexed; the rest is not found',
  ),
  typesense: readTypesenseSettings(env),
})

export type Config = ReturnType<typeof readConfig>
