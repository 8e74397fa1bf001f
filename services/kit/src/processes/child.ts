import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** A child process that handles one request after the other; its own children are killed with it. */
export type Child<Request, Reply> = {
  isAlive(): boolean
  /** Throws ChildTimedOut, ChildExited, or the abort error of `signal`; the child is then gone. */
  ask(request: Request, timeoutMs: number, signal: AbortSignal): Promise<Reply>
  /** Kills it; resolves when it has exited. */
  end(): Promise<void>
}

export type ChildProgram = {
  /** A module that calls `answerParent`. */
  path: string
  /** Passed to it at its start. */
  options: object
}

export class ChildTimedOut extends Error {
  override name = 'ChildTimedOut'
}

/** The child crashed, was killed, or exceeded the memory limit. */
export class ChildExited extends Error {
  override name = 'ChildExited'
}

const startTimeoutMs = 30_000
/** The only inherited environment variables: those by which fonts and libraries are found. */
const environment = [
  'HOME',
  'LANG',
  'TMPDIR',
  'XDG_CACHE_HOME',
  'FONTCONFIG_FILE',
  'FONTCONFIG_PATH',
  'LD_LIBRARY_PATH',
]

/** Starts a child that does not keep this process alive, and that exits when its channel to this process closes. */
export async function startChild<Request extends object, Reply>(
  { path, options }: ChildProgram,
  signal: AbortSignal,
): Promise<Child<Request, Reply>> {
  const child = fork(path, [JSON.stringify(options)], {
    env: Object.fromEntries(environment.map((name) => [name, process.env[name]])),
    execArgv: [],
    // Its own process group, which is killed as a whole and does not receive Ctrl-C.
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Without a listener, a failed send would end this process.
  child.on('error', () => {})
  child.on('exit', () => killGroup(child))
  child.unref()
  child.channel?.unref()

  const isAlive = () => child.pid !== undefined && child.exitCode === null && !child.signalCode
  const end = async () => {
    if (!isAlive()) return
    const exited = once(child, 'exit')
    child.ref()
    killGroup(child)
    await exited
  }

  try {
    await nextMessage(child, startTimeoutMs, signal)
  } catch (cause) {
    await end()
    throw new Error(`${path} did not start`, { cause })
  }
  return {
    isAlive,
    end,
    async ask(request, timeoutMs, signal) {
      child.send(request, () => {})
      try {
        return await nextMessage<Reply>(child, timeoutMs, signal)
      } catch (error) {
        await end()
        throw error
      }
    },
  }
}

/** Kills the process group, also after the child itself has exited. */
function killGroup({ pid }: ChildProcess) {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone.
  }
}

async function nextMessage<T>(child: ChildProcess, timeoutMs: number, signal: AbortSignal) {
  const received = new AbortController()
  const until = { signal: AbortSignal.any([signal, received.signal]) }
  try {
    return await Promise.race([
      once(child, 'message', until).then(([message]): T => message),
      once(child, 'exit', until).then(() => {
        throw new ChildExited('child process exited before it responded')
      }),
      sleep(timeoutMs, undefined, until).then(() => {
        throw new ChildTimedOut(`child process timed out after ${timeoutMs} ms`)
      }),
    ])
  } finally {
    received.abort()
  }
}
