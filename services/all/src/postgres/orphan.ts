import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, Failure } from '../failure.js'
import { removeSocket } from '../remove-socket.js'
import { exists, isAlive } from './processes.js'
import { run } from './run.js'

const stopMs = 60_000
const pollMs = 20

/**
 * Stops the PostgreSQL that a killed Figbase left running. It is not reused: stopping it ends the sessions of the killed
 * process, and the settings of this version apply.
 */
export async function stopOrphan(cluster: string): Promise<void> {
  const pid = await readPid(cluster)
  if (pid !== undefined && isAlive(pid) && (await serves(pid, cluster))) await stopServer(pid)
  // The pid belongs to another process, which PostgreSQL would take for a server. If no process has the pid, the file
  // stays: PostgreSQL uses it to find backends that outlived a killed server.
  if (pid !== undefined && exists(pid)) await rm(join(cluster, 'postmaster.pid'), { force: true })
  await removeSocket(join(cluster, '.s.PGSQL.5432'))
  await rm(join(cluster, '.s.PGSQL.5432.lock'), { force: true })
}

/** Fast shutdown: ends sessions; all committed data is on disk. */
export async function stopServer(pid: number): Promise<void> {
  signal(pid, 'SIGINT')
  if (await ended(pid, stopMs)) return
  // Immediate shutdown: the next start replays the log, no committed data is lost.
  signal(pid, 'SIGQUIT')
  if (await ended(pid, stopMs)) return
  throw new Failure(`PostgreSQL (process ${pid}) did not stop`, `Try: kill ${pid}`)
}

async function readPid(cluster: string): Promise<number | undefined> {
  try {
    const [pid] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
    return Number(pid) || undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

// The working directory of a server is its cluster, which is also in its arguments.
async function serves(pid: number, cluster: string): Promise<boolean> {
  const cwd = await stat(`/proc/${pid}/cwd`).catch(() => undefined)
  if (cwd) {
    const dir = await stat(cluster)
    return cwd.ino === dir.ino && cwd.dev === dir.dev
  }
  const { output } = await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)])
  const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => output)
  return args.includes('postgres') && args.includes(cluster)
}

async function ended(pid: number, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs
  while (isAlive(pid)) {
    if (performance.now() > end) return false
    await sleep(pollMs)
  }
  return true
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}
