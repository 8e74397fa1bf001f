import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { confinedCommand, figbaseDirectory, infoFd } from './bubblewrap.js'
import { figbaseSocket, type InstanceDirectory } from './instance-directory.js'
import { runVariable } from './processes-of.js'

const sourcePath = fileURLToPath(new URL('../../../../src/drivers/local/entry.py', import.meta.url))
/** Isolated: it ignores the environment and the directory that it is started in. */
const python = ['/usr/bin/python3', '-I', '-c']
const openFilesMax = 4096
/** Notebooks leave processors to Figbase. */
const niceness = 5

/** Undefined where nothing confines notebooks; `uid` is undefined if they run as this process does. */
export type Confinement = { uid: number | undefined } | undefined

export type EntryOptions = {
  command: string[]
  environment: Record<string, string>
  /** Where the command starts. */
  cwd: string
  /** Where GF_URL listens in the confinement. */
  port: number
  vcpu: number
  limits: { memoryBytes: number; fileBytes: number; processes: number }
}

/** A command that waits; `leader` is the first process of its confinement. */
export type Entry = {
  child: ChildProcess
  leader: number
  release(options: EntryOptions): void
}

/**
 * Starts a command with its limits. It begins when it is released, and never if this process ends before. Throws if
 * it cannot be confined.
 */
export async function startEntry(
  directory: InstanceDirectory,
  confinement: Confinement,
  runId: string,
  output: 'inherit' | 'pipe' = 'inherit',
): Promise<Entry> {
  const program = [...python, readFileSync(sourcePath, 'utf8')]
  const command = confinement ? confinedCommand(directory, confinement.uid, program) : program
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', [runVariable]: runId },
    stdio: ['pipe', output, output, 'pipe'],
  })
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  const leader = confinement ? await confinedPid(child) : child.pid
  if (!leader) {
    const why = child.stderr ? await text(child.stderr) : 'its output is in the log'
    throw new Error(`${file} did not start: ${why.trim()}`)
  }
  return {
    child,
    leader,
    release: (options) => {
      child.stdin?.end(`${JSON.stringify(lineOf(options, confinement !== undefined))}\n`)
    },
  }
}

async function confinedPid(child: ChildProcess): Promise<number | undefined> {
  const info = await text(child.stdio[infoFd] as Readable)
  return info ? (JSON.parse(info) as { 'child-pid'?: number })['child-pid'] : undefined
}

const lineOf = ({ limits, ...options }: EntryOptions, confined: boolean) => ({
  ...options,
  confined,
  socket: join(figbaseDirectory, figbaseSocket),
  nice: niceness,
  limits: {
    DATA: limits.memoryBytes,
    FSIZE: limits.fileBytes,
    NOFILE: openFilesMax,
    CORE: 0,
    // Elsewhere it would count all processes of the account.
    ...(confined && { NPROC: limits.processes }),
  },
})
