import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { deleteExpiredDeviceLogins } from '../queries/device-logins.js'

export const purgeDeviceLogins: Periodic<Ctx> = {
  name: 'purge-device-logins',
  everyMs: 3_600_000,
  run: ({ db }) => deleteExpiredDeviceLogins(db),
}
