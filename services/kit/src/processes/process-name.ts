import { hostname } from 'node:os'
import { statOf } from './process-stat.js'

/** A unique name of a process of this host, by default of this one: host, process id, start time. */
export const processName = (pid = process.pid): string => `${host()}~${pid}~${startOf(pid)}`

/** Whether the named process ran on this host and has ended. */
export function isProcessGone(name: string): boolean {
  const [onHost, pid, start] = name.split('~')
  if (onHost !== host() || !pid || !/^\d+$/.test(pid)) return false
  return !isAlive(Number(pid)) || startOf(Number(pid)) !== start
}

/** The id of the named process, for as long as it has not ended. */
export const pidOf = (name: string): number | undefined =>
  isProcessGone(name) ? undefined : Number(name.split('~')[1]) || undefined

const host = () => hostname().replaceAll(/[^\w.-]/g, '_')

function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

/** Ticks since the boot; empty without /proc, where the process id alone must do. */
const startOf = (pid: number): string => `${statOf(pid)?.startTicks ?? ''}`
