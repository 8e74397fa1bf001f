import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown } from 'node:fs/promises'
import { createInterface } from 'node:readline'

/** The account for servers that refuse to run as root: `postgres`, created by Debian's package. */
export type Account = { uid?: number; gid?: number }

export function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(idOf(flag)))
  if (!uid || !gid) throw new Error('user postgres not found')
  return { uid, gid }
}

const idOf = (flag: string) => spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout

export async function chownTo({ uid, gid }: Account, path: string): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

/** Starts a server and waits for its ready message on stderr. */
export async function startServer(
  command: string,
  args: string[],
  account: Account,
  ready: RegExp,
): Promise<ChildProcess> {
  const options = { ...account, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  const output: string[] = []
  for await (const line of createInterface(child.stderr)) {
    output.push(line)
    if (ready.test(line)) {
      child.stderr.resume()
      return child
    }
  }
  throw new Error(`${command} did not start:\n${output.join('\n')}`)
}

export async function stopServer(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
