import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { confinedCommand } from './confine.js'
import { gitEnvironment } from './environment.js'
import { explain } from './explain.js'
import { GitError } from './git-error.js'
import type { GitLimits } from './limits.js'
import type { GitPrograms } from './programs.js'

/** Where the files of one repository are. */
export type Workspace = {
  programs: GitPrograms
  limits: GitLimits
  /** Temporary; contains all of the following. */
  folder: string
  repository: string
  /** Its configuration while it fetches; later `/dev/null`. */
  config: string
  /** Ends all of its processes. */
  signal: AbortSignal
}

export type GitChild = {
  stdin: Writable
  stdout: Readable
  /** Throws a GitError if it failed; never before it has ended. */
  succeeded: Promise<void>
  /** Resolves when it has ended. */
  kill(): Promise<void>
}

const errorsBytesMax = 16_384
const filesOpenMax = 256

/** Starts Git in its confinement, in a process group of its own. */
export function startGit(
  workspace: Workspace,
  args: string[],
  { canFetch = false } = {},
): GitChild {
  const { signal } = workspace
  signal.throwIfAborted()
  const [program = '', ...rest] = commandOf(workspace, args, canFetch)
  const child = spawn(program, rest, {
    cwd: workspace.folder,
    env: gitEnvironment(workspace.programs, workspace.folder, workspace.config),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  const errors = lastOf(child.stderr)
  // Git may end before it has read its whole input.
  child.stdin.on('error', () => {})
  const killAll = () => killGroup(child)
  signal.addEventListener('abort', killAll)
  const ended = new Promise<{ code: number | null; startError?: Error }>((resolve) => {
    child.on('error', (startError) => resolve({ code: null, startError }))
    child.on('close', (code) => resolve({ code }))
  }).finally(() => {
    signal.removeEventListener('abort', killAll)
    // What it started may still run.
    killAll()
  })
  const succeeded = ended.then(({ code, startError }) => {
    if (code === 0) return
    signal.throwIfAborted()
    if (startError) {
      throw new GitError('unavailable', 'Git could not be started', { cause: startError })
    }
    throw explain(errors())
  })
  succeeded.catch(() => {})
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    succeeded,
    async kill() {
      killAll()
      child.stdout.destroy()
      await ended
    },
  }
}

/** Yields what Git writes. If the caller stops early, or it takes too long, Git is killed. */
export async function* outputOf(
  workspace: Workspace,
  args: string[],
  options: { input?: string; canFetch?: boolean } = {},
): AsyncGenerator<Buffer> {
  const late = AbortSignal.timeout(workspace.limits.timeoutMs)
  const signal = AbortSignal.any([workspace.signal, late])
  const child = startGit({ ...workspace, signal }, args, options)
  child.stdin.end(options.input)
  try {
    yield* child.stdout as AsyncIterable<Buffer>
    await child.succeeded
  } catch (error) {
    if (late.aborted && !workspace.signal.aborted) throw timedOut()
    throw error
  } finally {
    await child.kill()
  }
}

/** Runs Git, whose output is not needed. */
export async function runGit(
  workspace: Workspace,
  args: string[],
  options?: { canFetch?: boolean },
): Promise<void> {
  for await (const _ of outputOf(workspace, args, options));
}

const timedOut = () => new GitError('timed_out', 'reading the repository took too long')

function commandOf(
  { programs, limits, folder, repository }: Workspace,
  args: string[],
  canFetch: boolean,
) {
  const { git, prlimit, bwrap } = programs
  const command = [git, '--no-pager', `--git-dir=${repository}`, ...args]
  const confinement = { folder, canWrite: canFetch, hasNetwork: canFetch }
  const confined = bwrap ? confinedCommand(bwrap, confinement, command) : command
  return prlimit ? [prlimit, ...bounds(limits), '--', ...confined] : confined
}

const bounds = ({ memoryBytesMax, timeoutMs, diskBytesMax }: GitLimits) => [
  `--data=${memoryBytesMax}`,
  `--cpu=${Math.ceil(timeoutMs / 1000)}`,
  // The folder is then larger than the limit, which is reported.
  `--fsize=${diskBytesMax + 1}`,
  `--nofile=${filesOpenMax}`,
  '--core=0',
]

/** The last bytes of a stream, when asked. */
function lastOf(stream: Readable) {
  let last = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    last = Buffer.concat([last, chunk]).subarray(-errorsBytesMax)
  })
  return () => last.toString('latin1')
}

function killGroup({ pid }: ChildProcessByStdio<Writable, Readable, Readable>) {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone.
  }
}
