import { readFileSync } from 'node:fs'
import { codeOf } from '../failure.js'

/** Whether a process with this pid exists, including zombies. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Excludes zombies: in containers, where init does not reap orphans, dead processes keep their pid. */
export function isAlive(pid: number): boolean {
  if (!exists(pid)) return false
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return true
  }
}
