import type { TypesenseSettings } from '../src/engine/typesense/settings.js'
import type { TypesenseServer } from './typesense-server.js'

export const settingsOf = (
  { url, apiKey }: Pick<TypesenseServer, 'url' | 'apiKey'>,
  changed: Partial<TypesenseSettings> = {},
): TypesenseSettings => ({
  ...{ url, apiKey, collectionPrefix: 'figbase' },
  ...{ searchTimeoutMs: 60_000, writeTimeoutMs: 60_000, requestBytesMax: 8 * 2 ** 20 },
  ...changed,
})

export const noModel = async (): Promise<undefined> => undefined
