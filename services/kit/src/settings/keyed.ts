import type { EnvReader } from '../config/config.js'

/** Read by identity, which keeps the keys, and by all services that keep results. */
export const readKeyRetention = (env: EnvReader): number =>
  env.duration(
    'IDEMPOTENCY_KEY_RETENTION',
    '1d',
    'how long a request with an `Idempotency-Key` can be repeated',
  )
