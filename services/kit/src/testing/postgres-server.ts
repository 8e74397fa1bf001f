import { type ChildProcess, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../net/free-port.js'
import { chownTo, startServer, stopServer, unprivilegedAccount } from './processes.js'

/** A temporary PostgreSQL server on loopback. */
export type PostgresServer = AsyncDisposable & {
  port: number
  /** URL of the superuser in the database `postgres`; `createTestDatabase` creates others. */
  url: string
  start(): Promise<void>
  /** Stops at once, like a crash; committed data is available after `start`. */
  stop(): Promise<void>
}

export type PostgresServerOptions = {
  /** Directory of `initdb` and `postgres`; default: Debian's PostgreSQL 15. */
  binaries?: string
  /** PEM; enables TLS. */
  tls?: { key: string | Buffer; cert: string | Buffer }
  settings?: Record<string, string>
}

const debian15 = '/usr/lib/postgresql/15/bin'
const superuser = 'figbase'
const password = 'a password of the tests'

/** Why tests with PostgreSQL 15 are skipped; false if it is installed. Throws in CI, where it must be installed. */
export function postgres15SkipReason(): string | false {
  if (existsSync(join(debian15, 'postgres'))) return false
  if (process.env.FIGBASE_CI) throw new Error('PostgreSQL 15 is missing: .ci/run installs it')
  return 'PostgreSQL 15 is not installed (Debian: apt-get install postgresql-15)'
}

export async function startPostgresServer(
  options: PostgresServerOptions = {},
): Promise<PostgresServer> {
  const { binaries = debian15, tls } = options
  const account = unprivilegedAccount()
  const dir = await mkdtemp(join(tmpdir(), 'figbase-postgres-'))
  await chownTo(account, dir)
  const own = async (name: string, content: string | Buffer) => {
    await writeFile(join(dir, name), content, { mode: 0o600 })
    await chownTo(account, join(dir, name))
    return join(dir, name)
  }
  const remove = () => rm(dir, { recursive: true, force: true, maxRetries: 5 })
  try {
    const cluster = join(dir, 'cluster')
    const made = spawnSync(
      join(binaries, 'initdb'),
      [
        ...['-D', cluster, '-U', superuser, '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
        ...['--auth=scram-sha-256', `--pwfile=${await own('password', password)}`],
      ],
      { ...account, cwd: '/', encoding: 'utf8' },
    )
    if (made.status !== 0) throw new Error(`initdb failed:\n${made.stdout}${made.stderr}`)
    const port = await freePort()
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      max_connections: '300',
      fsync: 'off',
      ...(tls && {
        ssl: 'on',
        ssl_key_file: await own('server.key', tls.key),
        ssl_cert_file: await own('server.crt', tls.cert),
      }),
      ...options.settings,
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    let running: ChildProcess | undefined
    const server: PostgresServer = {
      port,
      url: `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
      async start() {
        running = await startServer(
          join(binaries, 'postgres'),
          ['-D', cluster, ...flags],
          account,
          /ready to accept connections/,
        )
      },
      async stop() {
        if (running) await stopServer(running, 'SIGQUIT')
      },
      async [Symbol.asyncDispose]() {
        await server.stop()
        await remove()
      },
    }
    await server.start()
    return server
  } catch (error) {
    await remove()
    throw error
  }
}
