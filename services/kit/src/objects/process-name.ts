import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'

/** A unique name of this process on this host: host, process id, start time. */
export async function processName(): Promise<string> {
  return `${host()}~${process.pid}~${await startOf(process.pid)}`
}

/** Whether the named process ran on this host and has ended. */
export async function isProcessGone(name: string): Promise<boolean> {
  const [onHost, pid, start] = name.split('~')
  if (onHost !== host() || !pid || !/^\d+$/.test(pid)) return false
  return !isAlive(Number(pid)) || (await startOf(Number(pid))) !== start
}

const host = () => hostname().replaceAll(/[^\w.-]/g, '_')

function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

/** Start time in ticks since boot; empty without /proc, where the process id alone must do. */
async function startOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
