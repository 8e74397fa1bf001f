import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { statOf } from '@figbase/kit/processes'

/** The variable by which processes of a run are found where nothing confines them. */
export const runVariable = 'FIGBASE_COMPUTE_RUN'

/** The processes of one run, by their ids. */
export type RunProcesses = {
  /** The oldest first. */
  list(): number[]
  /** Kills all of them; resolves when none is left, or rejects. */
  end(): Promise<void>
}

/** `leader` is the first process of a name space: the system kills the others when it ends. */
export function confinedProcesses(leader: number): RunProcesses {
  const space = nameSpaceOf(leader)
  return {
    list: () => (space ? byAge(allPids().filter((pid) => nameSpaceOf(pid) === space)) : []),
    end: () => endAll(() => (statOf(leader) ? [leader] : [])),
  }
}

/**
 * Descendants of `leader`, which is the parent of orphans while it has not ended, and what has the variable with the id
 * of the run.
 */
export function unconfinedProcesses(leader: number | undefined, runId: string): RunProcesses {
  const list = () => {
    const pids = allPids()
    const parents = new Map(pids.map((pid) => [pid, statOf(pid)?.parent ?? 0]))
    const isBelow = (pid: number): boolean =>
      pid > 1 && (pid === leader || isBelow(parents.get(pid) ?? 0))
    const entry = `${runVariable}=${runId}`
    return byAge(pids.filter((pid) => isBelow(pid) || environmentOf(pid).includes(entry)))
  }
  return { list, end: () => endAll(list) }
}

const endMs = 5000
const pauseMs = 10

async function endAll(list: () => number[]) {
  const until = performance.now() + endMs
  for (let left = list(); left.length > 0; left = list()) {
    if (performance.now() > until) throw new Error(`processes did not end: ${left.join(', ')}`)
    for (const pid of left) kill(pid)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

export function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

function byAge(pids: number[]): number[] {
  const starts = new Map(pids.map((pid) => [pid, statOf(pid)?.startTicks ?? 0]))
  return pids.sort((a, b) => (starts.get(a) ?? 0) - (starts.get(b) ?? 0) || a - b)
}

const allPids = () => numbersIn('/proc').flatMap((pid) => (statOf(pid) ? pid : survivorOf(pid)))

/** Another thread of a process whose first one has ended; signals and memory of a thread are those of its process. */
const survivorOf = (pid: number): number[] =>
  numbersIn(`/proc/${pid}/task`)
    .filter((thread) => statOf(thread))
    .slice(0, 1)

function numbersIn(path: string): number[] {
  try {
    return readdirSync(path)
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    // The process has ended.
    return []
  }
}

function nameSpaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`)
  } catch {
    return undefined
  }
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}
