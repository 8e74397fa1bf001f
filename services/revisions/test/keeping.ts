import { keysFrom } from '@figbase/kit'
import { databaseAt } from '@figbase/kit/testing'
import { collect, fsck, type Keeping, openKeeping } from '../src/index.js'
import type { Bench } from './service.js'

/** What the commands have, on the database and the objects of a bench. */
export const keepingOf = (
  { service }: Bench,
  env: Record<string, string> = {},
): Promise<Keeping & AsyncDisposable> =>
  openKeeping({
    env: { LOG_LEVEL: 'silent', ...env },
    database: databaseAt(service.databaseUrl),
    keys: keysFrom('a secret of the tests'),
    objects: service.objects,
  })

export const fast = { bytesPerSecond: 2 ** 40 }

/** What fsck finds, all bytes read. */
export async function findings(keeping: Keeping): Promise<{ kind: string; text: string }[]> {
  const found = await fsck(keeping, { verify: fast })
  return found.findings.map(({ kind, text }) => ({ kind, text }))
}

/** A store may say whole seconds, and round up: an object of this moment is not in the future. */
const roundedUpMs = 2000

/** What is nobody's, when all of it has been collected. */
export async function leftAfterCollection(keeping: Keeping) {
  const collected = await collect(keeping, { graceMs: -roundedUpMs })
  const failures = collected.flatMap(({ failure }) => failure ?? [])
  const { storages } = await fsck(keeping)
  const orphans = storages.reduce((sum, one) => sum + one.orphans, 0)
  const dead = storages.reduce((sum, one) => sum + one.dead, 0)
  return { failures, orphans, dead }
}
