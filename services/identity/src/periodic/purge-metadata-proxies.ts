import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { deleteExpiredProxies } from '../queries/metadata-proxies.js'

/** Expired metadata proxies are already invisible; this deletes their data. */
export const purgeMetadataProxies: Periodic<Ctx> = {
  name: 'purge-metadata-proxies',
  everyMs: 3_600_000,
  run: ({ db }) => deleteExpiredProxies(db),
}
