import type { EnvReader } from '@figbase/kit/config'

export const readVectorConfig = (env: EnvReader) => ({
  exactRowsMax: env.int(
    'SEARCH_EXACT_VECTORS_MAX',
    200_000,
    'how many vectors are compared exactly; 100000 take 205 MB of memory for it, for vectors of 512 numbers',
  ),
  rowsMax: env.positiveInt(
    'SEARCH_VECTORS_MAX',
    2_000_000,
    'maximum number of vectors in memory; 100000 take 60 MB, for vectors of 512 numbers',
  ),
})
