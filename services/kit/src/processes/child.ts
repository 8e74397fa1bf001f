import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process of ours that answers one request after the other; what it starts ends with it. */
export type Child<Request, Reply> = {
  isAlive(): boolean
  /** Throws ChildTimedOut, ChildEnded, or what `signal` makes it throw; after each of them it is gone. */
  ask(request: Request, timeoutMs: number, signal: AbortSignal): Promise<Reply>
  /** Ends it at once, whatever it does; resolves when it is gone. */
  end(): Promise<void>
}

export type ChildProgram = {
  /** A module that calls `answerParent`. */
  path: string
  /** What it is told when it starts. */
  options: object
}

export class ChildTimedOut extends Error {
  override name = 'ChildTimedOut'
}

/** It crashed, was killed, or took too much memory. */
export class ChildEnded extends Error {
  override name = 'ChildEnded'
}

const startTimeoutMs = 30_000
/** What fonts and libraries are found by; nothing else of our environment is its affair. */
const environment = [
  'HOME',
  'LANG',
  'TMPDIR',
  'XDG_CACHE_HOME',
  'FONTCONFIG_FILE',
  'FONTCONFIG_PATH',
  'LD_LIBRARY_PATH',
]

/** It does not keep us from ending, and ends with us: then it sees its channel close. */
export async function startChild<Request extends object, Reply>(
  { path, options }: ChildProgram,
  signal: AbortSignal,
): Promise<Child<Request, Reply>> {
  const child = fork(path, [JSON.stringify(options)], {
    env: Object.fromEntries(environment.map((name) => [name, process.env[name]])),
    execArgv: [],
    // A process group of its own, which is killed as a whole; and Ctrl-C reaches only us.
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Without a listener, a message that cannot be sent would end us.
  child.on('error', () => {})
  child.on('exit', () => killGroup(child))
  child.unref()
  child.channel?.unref()

  const isAlive = () => child.pid !== undefined && child.exitCode === null && !child.signalCode
  const end = async () => {
    if (!isAlive()) return
    const gone = once(child, 'exit')
    child.ref()
    killGroup(child)
    await gone
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

/** The process and what it started, also when it is gone itself. */
function killGroup({ pid }: ChildProcess) {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}

async function nextMessage<T>(child: ChildProcess, timeoutMs: number, signal: AbortSignal) {
  const answered = new AbortController()
  const until = { signal: AbortSignal.any([signal, answered.signal]) }
  try {
    return await Promise.race([
      once(child, 'message', until).then(([message]): T => message),
      once(child, 'exit', until).then(() => {
        throw new ChildEnded('the process ended instead of answering')
      }),
      sleep(timeoutMs, undefined, until).then(() => {
        throw new ChildTimedOut(`no answer in ${timeoutMs} ms`)
      }),
    ])
  } finally {
    answered.abort()
  }
}
