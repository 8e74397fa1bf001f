import { mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'

/** Where all test files of a run keep what they share; undefined without a runner. */
export const sharedDir: string | undefined =
  process.env.TEST_CLUSTER_DIR && dirname(process.env.TEST_CLUSTER_DIR)

/**
 * The path of a folder that all test files of a run share, and must not change. The first one makes it, in an empty folder;
 * others wait for it.
 */
export async function oncePerRun(
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const { TEST_DATABASE_URL: server } = process.env
  if (!sharedDir || !server) throw new Error('npm test sets TEST_CLUSTER_DIR and TEST_DATABASE_URL')
  const path = join(sharedDir, name)
  if (await exists(path)) return path
  const client = new pg.Client(server)
  await client.connect()
  try {
    // PostgreSQL releases the lock when its holder ends, however it does.
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [path])
    if (!(await exists(path))) await makeAt(path, make)
    return path
  } finally {
    await client.end()
  }
}

async function makeAt(path: string, make: (folder: string) => Promise<void>): Promise<void> {
  const draft = await mkdtemp(join(tmpdir(), 'figbase-draft-'))
  try {
    await make(draft)
    await rename(draft, path)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
