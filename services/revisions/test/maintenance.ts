import { keysFrom } from '@figbase/kit/keys'
import { databaseAt } from '@figbase/kit/testing'
import { collect, fsck, type Maintenance, openMaintenance } from '../src/index.js'
import type { Bench } from './service.js'

/** What the commands use, for the database and the objects of a bench. */
export const maintenanceOf = (
  { service }: Bench,
  env: Record<string, string> = {},
): Promise<Maintenance & AsyncDisposable> =>
  openMaintenance({
    env: { LOG_LEVEL: 'silent', ...env },
    database: databaseAt(service.databaseUrl),
    keys: keysFrom('a secret of the tests'),
    objects: service.objects,
  })

export const fast = { bytesPerSecond: 2 ** 40 }

/** The findings of fsck with all bytes verified. */
export async function findings(
  maintenance: Maintenance,
): Promise<{ kind: string; text: string }[]> {
  const found = await fsck(maintenance, { verify: fast })
  return found.findings.map(({ kind, text }) => ({ kind, text }))
}

/** A store may round times up to seconds. This delay keeps new objects out of the future. */
const roundedUpMs = 2000

/** What is left after everything was collected. */
export async function leftAfterCollection(maintenance: Maintenance) {
  const collected = await collect(maintenance, { graceMs: -roundedUpMs })
  const failures = collected.flatMap(({ failure }) => failure ?? [])
  const { storages } = await fsck(maintenance)
  const orphans = storages.reduce((sum, one) => sum + one.orphans, 0)
  const dead = storages.reduce((sum, one) => sum + one.dead, 0)
  return { failures, orphans, dead }
}
