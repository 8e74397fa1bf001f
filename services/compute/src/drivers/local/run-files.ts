import { readFile, rename, writeFile } from 'node:fs/promises'
import type { Measurement, RunState } from '../port.js'

/** What the driver knows of an instance; written under the lock. */
export type RunRecord = {
  /** The newest run that was started; empty if there is none. */
  runId: string
  /** Runs that must not start, or not again. Those older than the newest never do. */
  stopped: string[]
  /** The name of the process that supervises the newest run. */
  supervisor: string
  /** When its end was asked for, in milliseconds since the boot. */
  stoppedMs?: number
  isRemoved: boolean
}

/** What the supervisor of a run tells of it. */
export type RunStatus = {
  runId: string
  state: RunState
  detail: string
  address?: string
  startedAt: string
  /** When it began, in milliseconds since the boot. */
  beganMs: number
  /** Until it ended, or until the last update. */
  ranForMs: number
  /** The name of the first process in the confinement: the others end with it. */
  leader: string
  measurement?: Omit<Measurement, 'lastActivityAt' | 'kernelsAgeMs'> & {
    lastActivityAt?: string
    /** When the server was asked for what it told of kernels, in milliseconds since the boot. */
    kernelsAskedMs: number
  }
}

/** Undefined if there is no such file. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}

/** Replaces the file as a whole. */
export async function writeJson(path: string, value: object): Promise<void> {
  const temporary = `${path}.${process.pid}`
  await writeFile(temporary, JSON.stringify(value), { mode: 0o600 })
  await rename(temporary, path)
}

export const isEnded = (state: RunState): boolean => state === 'stopped' || state === 'failed'
