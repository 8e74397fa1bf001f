import { readFileSync } from 'node:fs'
import { codeOf } from '../failure.js'

/** Whether the number belongs to a process, be it a dead one. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Where the first process collects no orphans (containers), a dead one keeps its number. */
export function isAlive(pid: number): boolean {
  if (!exists(pid)) return false
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return true
  }
}
