import { execFile } from 'node:child_process'
import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { memoryBytesOf, ownMemoryBytesOf, statOf } from '@figbase/kit/processes'

/** Each file counts at least this much: empty ones use up a file system, too. */
const fileBytesMin = 4096
const blockBytes = 512

/**
 * The memory of processes in bytes, and the process with the most. What they share counts once if together they take
 * more than `exactAbove`, and otherwise for each, which is faster to read.
 */
export function memoryOf(pids: number[], exactAbove: number): { bytes: number; largest: number } {
  const rough = sumOver(pids, memoryBytesOf)
  return rough.bytes <= exactAbove ? rough : sumOver(pids, ownMemoryBytesOf)
}

function sumOver(pids: number[], bytesOf: (pid: number) => number) {
  const each = pids.map((pid) => ({ pid, bytes: bytesOf(pid) })).sort((a, b) => b.bytes - a.bytes)
  return { bytes: each.reduce((sum, { bytes }) => sum + bytes, 0), largest: each[0]?.pid ?? 0 }
}

/** The time of processors since its last call, in milliseconds, without processes that ended meanwhile. */
export function createCpuMeter(): (pids: number[]) => number {
  let before = new Map<number, number>()
  return (pids) => {
    const now = new Map(pids.map((pid) => [pid, statOf(pid)?.cpuMs ?? 0]))
    let spentMs = 0
    for (const [pid, cpuMs] of now) spentMs += Math.max(0, cpuMs - (before.get(pid) ?? 0))
    before = now
    return spentMs
  }
}

const run = promisify(execFile)

/** What the files in directories take on the disk, in bytes, with those that were deleted and are still open. */
export async function diskBytesOf(directories: string[], pids: number[]): Promise<number> {
  const [bytes, files] = await Promise.all([
    sumOf('--block-size=1', directories),
    sumOf('--inodes', directories),
  ])
  return Math.max(bytes, files * fileBytesMin) + deletedBytesOf(pids)
}

async function sumOf(option: string, directories: string[]) {
  const { stdout } = await run('/usr/bin/du', ['--summarize', option, ...directories]).catch(
    (error: { code: unknown; stdout: string }) => {
      // A file vanished meanwhile; the sum is right all the same.
      if (typeof error.code === 'number') return error
      throw error
    },
  )
  return stdout.split('\n').reduce((sum, line) => sum + (Number.parseInt(line, 10) || 0), 0)
}

function deletedBytesOf(pids: number[]): number {
  const sizes = new Map<string, number>()
  for (const path of pids.flatMap(openFilesOf)) {
    try {
      if (!readlinkSync(path).endsWith(' (deleted)')) continue
      const { dev, ino, blocks } = statSync(path)
      sizes.set(`${dev} ${ino}`, blocks * blockBytes)
    } catch {
      // It was closed meanwhile.
    }
  }
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
}

function openFilesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`)
  } catch {
    return []
  }
}
