import { statement } from '@figbase/kit'
import type { Db } from '../db/schema.js'

const changed = statement<never>(
  'update site_rule set version = $1, links_allowed = $2 where version < $1',
)

/** Unless a newer version of the settings was told already. */
export async function updateSiteRules(db: Db, version: number, linksAllowed: boolean) {
  await changed(db, version, linksAllowed)
}
