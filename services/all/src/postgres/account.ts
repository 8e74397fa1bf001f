import type { SpawnOptions } from 'node:child_process'
import { chown as chownFile, stat } from 'node:fs/promises'
import { Failure } from '../failure.js'
import type { Binaries } from './binaries.js'
import { run } from './run.js'

/** How to start PostgreSQL's programs: a prefix for the command, and the user; `chown` gives files to that user. */
export type Account = {
  prefix: string[]
  options: SpawnOptions
  chown(path: string): Promise<void>
}

const userName = 'postgres'
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

// A clean environment: PGPORT or PGDATA would change the server.
const env = { PATH: path, LC_ALL: 'C', TZ: 'UTC' }

/**
 * PostgreSQL refuses to run as root: then it runs as the owner of the cluster, which is `postgres` for a new one. Other
 * users run it themselves.
 */
export async function chooseAccount(cluster: string, binaries: Binaries): Promise<Account> {
  if (process.geteuid?.() !== 0) return { prefix: [], options: { env, cwd: '/' }, async chown() {} }
  const user = (await ownerOf(cluster)) ?? (await systemUser())
  const chown = (file: string) => chownFile(file, user.uid, user.gid)
  await chown(cluster)
  let why = ''
  for (const account of accountsFor(user)) {
    const { code, output } = await tryOut(account, cluster, binaries)
    if (code === 0) return { ...account, chown }
    why ||= output.trim()
  }
  throw new Failure(
    `PostgreSQL does not run as root, and user ${user.uid} ` +
      `cannot access ${cluster} and ${binaries.postgres}:\n${why}`,
    'Start Figbase as an ordinary user, or allow other users to traverse the parent directories ' +
      '(chmod o+x), or use another PostgreSQL with DATABASE_URL.',
  )
}

type User = { uid: number; gid: number }

async function ownerOf(cluster: string): Promise<User | undefined> {
  const { uid, gid } = await stat(cluster)
  return uid === 0 ? undefined : { uid, gid }
}

async function systemUser(): Promise<User> {
  const found = await findUser()
  if (found) return found
  const output = await createUser()
  const user = await findUser()
  if (user) return user
  throw new Failure(
    `PostgreSQL does not run as root, and creating the user '${userName}' failed: ${output}`,
    `Create it (useradd --system ${userName}), or start Figbase as an ordinary user.`,
  )
}

async function findUser(): Promise<User | undefined> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, userName])))
  if (uid?.code !== 0 || gid?.code !== 0) return undefined
  return { uid: Number(uid.output), gid: Number(gid.output) }
}

async function createUser(): Promise<string> {
  const options = { env: { PATH: path } }
  const useradd = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false']
  const made = await run('useradd', [...useradd, userName], options)
  if (made.code !== 127) return made.output.trim()
  const busybox = await run('adduser', ['-S', '-D', '-H', '-s', '/bin/false', userName], options)
  return busybox.output.trim()
}

// PostgreSQL checks its own files with access(2), which ignores capabilities unless this bit is set.
const access = ['--securebits=+no_setuid_fixup']

/**
 * Ways to run as the user, by increasing privilege. An ordinary user cannot access a clone in /root, or one created with
 * umask 077. A capability gives the server access without changing file permissions: the first one allows traversing
 * directories, the second one also executing files of root (and is available in containers).
 */
function accountsFor({ uid, gid }: User): Omit<Account, 'chown'>[] {
  const plain = { prefix: [], options: { uid, gid, env, cwd: '/' } }
  return [plain, ...['+dac_read_search', '+dac_override'].map(capable)]

  function capable(capability: string) {
    const who = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
    const caps = [`--inh-caps=${capability}`, `--ambient-caps=${capability}`]
    return { prefix: ['setpriv', ...who, ...caps, ...access, '--'], options: { env, cwd: '/' } }
  }
}

// Tries the access, since access lists and security modules also apply. `--show` finds the programs and libraries, and
// writes nothing.
function tryOut({ prefix, options }: Omit<Account, 'chown'>, dir: string, bin: Binaries) {
  const script = '"$1" --show -D "$3" >/dev/null && test -r "$2" && cd "$3"'
  const args = [...prefix, 'sh', '-c', script, 'sh', bin.initdb, bin.share, dir]
  const [command = '', ...rest] = args
  return run(command, rest, options)
}
