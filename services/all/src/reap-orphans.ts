import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const graceMs = 1000
const wnohang = 1

/**
 * As process 1 of a container, reaps orphans: processes whose parent has ended, which the kernel gives to process 1. Node.js
 * reaps only the children that it started itself, so the others would stay as zombies and use up process ids.
 */
export async function reapOrphans(): Promise<void> {
  const { default: koffi } = await import('koffi')
  const waitpid = koffi.load(null).func('int waitpid(int pid, void *status, int options)')
  let isWaiting = false
  const reap = async () => {
    if (isWaiting) return
    isWaiting = true
    try {
      for (let before = zombies(); before.length > 0; before = zombies()) {
        // Its own children are reaped at once. So what is still a zombie after a second is an orphan.
        await sleep(graceMs, undefined, { ref: false })
        const still = new Set(zombies())
        for (const pid of before.filter((one) => still.has(one))) waitpid(pid, null, wnohang)
      }
    } finally {
      isWaiting = false
    }
  }
  process.on('SIGCHLD', () => void reap())
  void reap()
}

/** The ended children of this process that nobody has waited for. */
export function zombies(parent = process.pid): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isZombieOf(pid, parent))
}

function isZombieOf(pid: number, parent: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before it may contain anything.
    const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' && Number(ppid) === parent
  } catch {
    return false
  }
}
