import type { EnvReader } from '../config/config.js'

/** What runs compute instances. Read by compute, and by those who tell clients whether there are any. */
export const readComputeDriver = (env: EnvReader) =>
  env.oneOf(
    'COMPUTE_DRIVER',
    ['off', 'local', 'kubernetes'],
    'off',
    'what runs compute instances; `off`: there are none; `local`: this machine; `kubernetes`: a cluster',
  )

export type ComputeDriverName = ReturnType<typeof readComputeDriver>
