import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

const changed = statement<never>(
  'update site_rule set version = $1, links_allowed = $2 where version < $1',
)

/** Does nothing when this or a newer version of the settings is already stored. */
export async function updateSiteRules(db: Db, version: number, linksAllowed: boolean) {
  await changed(db, version, linksAllowed)
}

const computeSet = statement<never>(
  'update site_rule set runs_compute = $1 where runs_compute <> $1',
)

/** Whether this installation runs compute instances. */
export async function setRunsCompute(db: Db, runsCompute: boolean): Promise<void> {
  await computeSet(db, runsCompute)
}
