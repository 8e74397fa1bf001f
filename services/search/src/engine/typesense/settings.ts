import type { EnvReader } from '@figbase/kit/config'

export type TypesenseSettings = {
  /** Empty: Typesense is not used. */
  url: string
  /** Never logged. */
  apiKey: string
  collectionPrefix: string
  searchTimeoutMs: number
  writeTimeoutMs: number
  requestBytesMax: number
}

const names = /^[A-Za-z0-9_-]{1,64}$/

export function readTypesenseSettings(env: EnvReader): TypesenseSettings {
  const settings = {
    url: env.url(
      'TYPESENSE_URL',
      '',
      'URL of a Typesense server that finds words and vectors, as `http://host:8108`; empty: the database finds words, and each process has all vectors in memory',
    ),
    apiKey: env.text(
      'TYPESENSE_API_KEY',
      '',
      'API key for `TYPESENSE_URL`, with the actions `collections:*`, `documents:*` and `aliases:*`',
    ),
    collectionPrefix: env.text(
      'TYPESENSE_COLLECTION_PREFIX',
      'figbase',
      'beginning of the names of collections and aliases in Typesense; installations that share a server need different ones',
    ),
    searchTimeoutMs: env.duration(
      'TYPESENSE_SEARCH_TIMEOUT',
      '3s',
      'how long a search waits for Typesense',
    ),
    writeTimeoutMs: env.duration(
      'TYPESENSE_WRITE_TIMEOUT',
      '60s',
      'how long a change of the index waits for Typesense',
    ),
    requestBytesMax: env.bytes(
      'TYPESENSE_REQUEST_BYTES_MAX',
      '8MiB',
      'size of a request to Typesense from which on the rest goes into further requests',
    ),
  }
  if (settings.url && !settings.apiKey)
    env.problems.push('TYPESENSE_API_KEY is required with TYPESENSE_URL')
  if (!names.test(settings.collectionPrefix))
    env.problems.push(
      'TYPESENSE_COLLECTION_PREFIX is not valid: must have 1 to 64 letters, digits, hyphens and underscores',
    )
  return settings
}
