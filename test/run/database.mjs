import { chmod } from 'node:fs/promises'
import { endOnInterrupt } from './interrupt.mjs'

/** One server for all of the work, unless one is named. What it holds is thrown away: it need not wait for the disk. */
export async function withDatabase(dataDir, progress, work) {
  if (process.env.TEST_DATABASE_URL) return work()
  const { startPostgres } = await import('../../services/all/dist/src/postgres/embedded.js')
  await chmod(dataDir, 0o711)
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const start = () => startPostgres({ dataDir, settings })
  const postgres = await progress('Starting PostgreSQL', start)
  const settled = endOnInterrupt(() => postgres.abandon())
  process.env.TEST_DATABASE_URL = postgres.databaseUrl
  try {
    return await work()
  } finally {
    delete process.env.TEST_DATABASE_URL
    await postgres[Symbol.asyncDispose]()
    settled()
  }
}
