import type { Periodic } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { deleteExpiredProxies } from '../queries/metadata-proxies.js'

/** Nobody sees an expired mailbox: what goes is what somebody's page told of itself. */
export const purgeMetadataProxies: Periodic<Ctx> = {
  name: 'purge-metadata-proxies',
  everyMs: 3_600_000,
  run: ({ db }) => deleteExpiredProxies(db),
}
