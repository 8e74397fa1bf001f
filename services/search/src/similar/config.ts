import type { EnvReader } from '@figbase/kit/config'

export const readSimilarConfig = (env: EnvReader) => ({
  loadTimeoutMs: env.duration(
    'SEARCH_LOAD_TIMEOUT',
    '5s',
    'how long a search by meaning or by a picture waits until the vectors or pictures are in memory',
  ),
})
