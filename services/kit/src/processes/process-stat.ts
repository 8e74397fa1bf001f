import { readFileSync } from 'node:fs'

/** What Linux tells of a process. */
export type ProcessStat = {
  parent: number
  group: number
  /** Of the process itself, without children that have ended. */
  cpuMs: number
  /** When it began, in ticks since the boot of the machine. */
  startTicks: number
}

/** The unit of times that Linux shows to programs. */
const tickMs = 10

/** Undefined if the process has ended, even if its parent has not noticed yet, or without /proc. */
export function statOf(pid: number): ProcessStat | undefined {
  const stat = read(`/proc/${pid}/stat`)
  if (!stat) return undefined
  // The name of the program is in parentheses, and may contain some.
  const [state = '', ...words] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if ('ZX'.includes(state)) return undefined
  const fields = words.map(Number)
  const [parent = 0, group = 0] = fields
  const cpuMs = ((fields[10] ?? 0) + (fields[11] ?? 0)) * tickMs
  return { parent, group, cpuMs, startTicks: fields[18] ?? 0 }
}

/**
 * The memory of a process in bytes; 0 if it has ended. Memory that processes share counts for each; pages of files do
 * not count, because the system can drop them.
 */
export function memoryBytesOf(pid: number): number {
  const status = read(`/proc/${pid}/status`)
  return (kibIn(status, 'RssAnon') + kibIn(status, 'RssShmem')) * 1024
}

/** Like `memoryBytesOf`, with its part of what processes share; reading it takes longer. */
export function ownMemoryBytesOf(pid: number): number {
  const rollup = read(`/proc/${pid}/smaps_rollup`)
  return (kibIn(rollup, 'Pss_Anon') + kibIn(rollup, 'Pss_Shmem')) * 1024
}

const kibIn = (status: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0)

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
