import type { EnvReader } from '@figbase/kit/config'

/** The login of programs without a browser. */
export const readDeviceLoginSettings = (env: EnvReader) => ({
  lifeMs: env.duration(
    'DEVICE_LOGIN_LIFETIME',
    '10m',
    'how long a login of the command waits for its user to allow it on the page',
  ),
  intervalMs: env.duration(
    'DEVICE_LOGIN_INTERVAL',
    '3s',
    'how often the command asks whether its login is allowed',
  ),
})
