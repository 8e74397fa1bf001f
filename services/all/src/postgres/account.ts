import type { SpawnOptions } from 'node:child_process'
import { chown, stat } from 'node:fs/promises'
import { Failure } from '../failure.js'
import type { Binaries } from './binaries.js'
import { run } from './run.js'

/** How to start PostgreSQL's programs: a prefix for the command, and the user. */
export type Account = { prefix: string[]; options: SpawnOptions; owns(path: string): Promise<void> }

const userName = 'postgres'
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

// Nothing of our own environment: a PGPORT or PGDATA of somebody else would change the server.
const env = { PATH: path, LC_ALL: 'C', TZ: 'UTC' }

/**
 * PostgreSQL refuses to run as root. Then it runs as the user who owns the cluster, which is
 * `postgres` for a new one; everybody else runs it as themselves.
 */
export async function chooseAccount(cluster: string, binaries: Binaries): Promise<Account> {
  if (process.geteuid?.() !== 0) return { prefix: [], options: { env, cwd: '/' }, async owns() {} }
  const user = (await ownerOf(cluster)) ?? (await systemUser())
  const owns = (file: string) => chown(file, user.uid, user.gid)
  await owns(cluster)
  let why = ''
  for (const account of accountsFor(user)) {
    const { code, output } = await tryOut(account, cluster, binaries)
    if (code === 0) return { ...account, owns }
    why ||= output.trim()
  }
  throw new Failure(
    `PostgreSQL does not run as root, and the user ${user.uid} who should run it ` +
      `cannot use ${cluster} and ${binaries.postgres}:\n${why}`,
    'Start Figbase as an ordinary user; or let others pass through the directories above ' +
      '(chmod o+x); or use another PostgreSQL with DATABASE_URL.',
  )
}

type User = { uid: number; gid: number }

async function ownerOf(cluster: string): Promise<User | undefined> {
  const { uid, gid } = await stat(cluster)
  return uid === 0 ? undefined : { uid, gid }
}

async function systemUser(): Promise<User> {
  const found = await lookUp()
  if (found) return found
  const made = await makeUser()
  const user = await lookUp()
  if (user) return user
  throw new Failure(
    `PostgreSQL does not run as root, and the user '${userName}' could not be made: ${made}`,
    `Make it (useradd --system ${userName}), or start Figbase as an ordinary user.`,
  )
}

async function lookUp(): Promise<User | undefined> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, userName])))
  if (uid?.code !== 0 || gid?.code !== 0) return undefined
  return { uid: Number(uid.output), gid: Number(gid.output) }
}

async function makeUser(): Promise<string> {
  const options = { env: { PATH: path } }
  const useradd = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false']
  const made = await run('useradd', [...useradd, userName], options)
  if (made.code !== 127) return made.output.trim()
  const busybox = await run('adduser', ['-S', '-D', '-H', '-s', '/bin/false', userName], options)
  return busybox.output.trim()
}

// PostgreSQL looks for its own files with access(2), which disregards a user's capabilities unless
// this bit is set.
const access = ['--securebits=+no_setuid_fixup']

/**
 * From the least privilege up. A clone in /root, or one made under umask 077, is out of an ordinary
 * user's reach. A capability lets the server pass, and leaves everybody's permissions as they are:
 * the first is enough to traverse directories, the second to execute what only root may (it is also
 * the one that containers have).
 */
function accountsFor({ uid, gid }: User): Omit<Account, 'owns'>[] {
  const plain = { prefix: [], options: { uid, gid, env, cwd: '/' } }
  return [plain, ...['+dac_read_search', '+dac_override'].map(capable)]

  function capable(capability: string) {
    const who = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
    const caps = [`--inh-caps=${capability}`, `--ambient-caps=${capability}`]
    return { prefix: ['setpriv', ...who, ...caps, ...access, '--'], options: { env, cwd: '/' } }
  }
}

// Tried rather than computed: access lists and security modules have a say, too. `--show` finds
// the programs and libraries, and writes nothing.
function tryOut({ prefix, options }: Omit<Account, 'owns'>, dir: string, bin: Binaries) {
  const script = '"$1" --show -D "$3" >/dev/null && test -r "$2" && cd "$3"'
  const args = [...prefix, 'sh', '-c', script, 'sh', bin.initdb, bin.share, dir]
  const [command = '', ...rest] = args
  return run(command, rest, options)
}
