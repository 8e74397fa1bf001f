import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../net/free-port.js'
import { chownTo, startServer, stopServer, unprivilegedAccount } from './processes.js'

/** A PgBouncer in transaction mode on loopback, without passwords. */
export type PgBouncer = AsyncDisposable & {
  /** URL of the same database and user through the pooler. */
  through(url: string): string
}

export type PgBouncerOptions = {
  /** URL of the server behind it; all its databases are available. */
  url: string
  /** Users besides that of `url`. */
  users?: { name: string; password: string }[]
  settings?: Record<string, string>
}

const program = '/usr/sbin/pgbouncer'

/** Why tests with PgBouncer are skipped; false if it is installed. Throws in CI, where it must be installed. */
export function pgBouncerSkipReason(): string | false {
  if (existsSync(program)) return false
  if (process.env.FIGBASE_CI) throw new Error('pgbouncer is missing: .ci/run installs it')
  return 'PgBouncer is not installed (Debian: apt-get install pgbouncer)'
}

export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const account = unprivilegedAccount()
  const server = new URL(options.url)
  const socket = server.searchParams.get('host')
  const owner = {
    name: decodeURIComponent(server.username),
    password: decodeURIComponent(server.password),
  }
  const dir = await mkdtemp(join(tmpdir(), 'figbase-pgbouncer-'))
  const users = join(dir, 'users')
  const file = join(dir, 'pgbouncer.ini')
  const port = await freePort()
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    pool_mode: 'transaction',
    max_client_conn: '1000',
    default_pool_size: '20',
    ...options.settings,
  }
  await writeFile(users, [owner, ...(options.users ?? [])].map(userLine).join(''))
  await writeFile(
    file,
    [
      '[databases]',
      `* = host=${socket ?? server.hostname} port=${server.port || '5432'}`,
      '[pgbouncer]',
      ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
      '',
    ].join('\n'),
  )
  for (const path of [dir, users, file]) await chownTo(account, path)
  const remove = () => rm(dir, { recursive: true, force: true, maxRetries: 5 })
  const running = await startServer(program, [file], account, /process up/).catch(async (error) => {
    await remove()
    throw error
  })
  return {
    through(url) {
      const pooled = new URL(url)
      pooled.searchParams.delete('host')
      pooled.host = `127.0.0.1:${port}`
      return pooled.href
    },
    async [Symbol.asyncDispose]() {
      await stopServer(running, 'SIGKILL')
      await remove()
    },
  }
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

const userLine = ({ name, password }: { name: string; password: string }) =>
  `${quoted(name)} ${quoted(password)}\n`
